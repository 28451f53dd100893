# usage.sh HEDDLE CODEOBJECT: each command must end with exit code 2; its messages go to standard output.
try()
{
    "$heddle" run "$@" 2>&1 | sed 's/^heddle: error: run: //'
    "$heddle" run "$@" > /dev/null 2>&1
    code=$?
    test $code = 2 || echo "exit code $code: $*"
}
heddle=$1 object=$2
oops="$object --kernel oops"
try $object
try $object --kernel none
try $object --kernel sizes --arg buf:count=16 --arg 7
try $object --kernel sizes
try $oops --arg 5x
try $oops --arg buf:f33
try $oops --arg buf:count
try $oops --arg buf:zeros=1
try $oops --arg buf:count=1,size=4
try $oops --arg buf:f32 --arg 1
try $oops --arg buf:count=1g --arg 1
try $oops --arg buf:file=no.such.file --arg 1
try $oops --arg buf:u8,count=1,fill=256 --arg 1
try $oops --arg buf:same=1 --arg 1
try $oops --arg lds:4 --arg 1
try $oops --arg buf:count=1 --arg u32:1,2
try $oops --arg buf:count=1 --arg buf:count=1
try $oops --arg zz=1
try $oops --arg 0=buf:count=1 --arg out=buf:count=1
try $object --kernel reverse --arg buf:count=64 --arg buf:count=64 --arg lds:65537
try $oops --arg buf:count=1 --arg 0 --out zz=f
try $oops --arg buf:count=1 --arg 0 --out n=f
try $oops --arg buf:count=1 --arg 0 --expect out:count=1
try $oops --arg buf:count=1 --arg 0 --expect out:offset=99,zeros
try $oops --arg buf:count=1 --arg 0 --expect out:values=1:2:3
try $oops --arg buf:count=1 --arg 0 --grid 1 --groups 1
try $oops --arg buf:count=1 --arg 0 --grid 1,2,3,4
try $oops --arg buf:count=1 --arg 0 --grid 0
try $object x.amber --kernel oops
try $oops --arg buf:count=1 --arg 0 --scratch 0x100000000
try $oops --arg buf:count=1 --arg 0 --limit 18446744073709551616
try $oops --arg buf:file=/dev/zero --arg 0
