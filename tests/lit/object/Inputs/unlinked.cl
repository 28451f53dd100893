constant uint table[4] = {3, 5, 7, 11};
global uint counter = 9;
global uint *global where = &counter;
__attribute__((noinline)) uint twice(uint x) { return x * 2 + table[x & 3]; }
uint other(uint);
kernel void a(global uint *o)
{
    uint i = __builtin_amdgcn_workitem_id_x();
    o[i] = twice(i) + counter + *where;
#ifdef UNDEFINED
    o[i] = other(i);
#endif
}
kernel void b(global uint *o) { o[__builtin_amdgcn_workitem_id_x()] = *where; }
