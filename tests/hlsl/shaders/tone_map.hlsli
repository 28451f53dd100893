#pragma once
#ifndef CHANNEL
#error CHANNEL is not defined
#endif
float3 curve(float3 x) { return x / (x + 1); } // Reinhard
