#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s
// RUN: sed 's/sample in/centroid in/' %s > %t.frag && %heddle compile -t rv770 --emit tree %t.frag | %FileCheck %s --check-prefix=PIXEL
// With a fragment for each sample that is the centroid, too: an input that is read in both ways is one parameter.
layout(location = 0) sample in float a;
layout(location = 1) in float b;
layout(location = 0) out vec4 color;

// CHECK: "EXPORT_DONE PIX[0], R0.xxxx ELEM(4)" [%[[A:[0-9]+]], %[[B:[0-9]+]], %[[A]], %[[B]]]
// PIXEL: "EXPORT_DONE PIX[0], R0.xxxx ELEM(4)" [%[[A:[0-9]+]], %[[B:[0-9]+]], %[[A]], %[[C:[0-9]+]]]
void main()
{
    color = vec4(a, b, interpolateAtCentroid(a), interpolateAtCentroid(b));
}
