#version 450
layout(location = 0) out vec4 o;
layout(location = 0) in vec4 v[8];
layout(location = 8) flat in int n;
void main() {
  vec4 a[8];
  for (int i = 0; i < 8; i++)
    a[i] = sin(v[i]);
  vec4 s = vec4(0);
  for (int k = 0; k < n; k++)
    s = s * 2.0 + float(k);
  for (int i = 0; i < 8; i++)
    s = s * a[i] + a[7 - i];
  o = s;
}
