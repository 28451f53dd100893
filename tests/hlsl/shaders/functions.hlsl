// inout and out, default values, overloads, methods of structs, structs in structs, arrays by value.
struct Point {
    float x, y;
    float squared() { return x * x + y * y; }
    void move(float dx, float dy) { x += dx; y += dy; }
};
struct Shape {
    Point points[2];
    struct Style { uint color; float width; } style;
};
RWStructuredBuffer<float> result : register(u0);
void swap(inout float a, inout float b) { float c = a; a = b; b = c; }
void split(in float v, out float low, out float high, float at = 10) { low = min(v, at); high = max(v - at, 0); }
float area(float r) { return r * 3; }
float area(float2 s) { return s.x * s.y; }
float area(Shape s) { return s.points[0].squared() + s.points[1].squared(); }
float total(float list[4]) { list[0] += 100; return list[0] + list[1] + list[2] + list[3]; }
[numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex)
{
    float a = i, b = i * 10, low, high;
    swap(a, b);
    split(b * 5, low, high);
    Shape s;
    s.points[0].x = a;
    s.points[0].y = 1;
    s.points[1] = s.points[0];
    s.points[1].move(2, b);
    s.style.color = i;
    s.style.width = 0.5f;
    Shape other = s;
    other.points[0].x = -1;
    float list[4] = {a, b, low, high};
    result[i * 5] = low * 100 + high;
    result[i * 5 + 1] = area(s) + other.points[0].x;
    result[i * 5 + 2] = area(a) + area(float2(a, b));
    result[i * 5 + 3] = total(list) - list[0];
    result[i * 5 + 4] = s.style.color * other.style.width;
}
