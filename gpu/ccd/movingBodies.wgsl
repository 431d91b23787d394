// Points and boxes of moving bodies. Coordinates are relative to `origin`, so that floats keep their precision
// far from the scene's center. The kernel that includes this file declares `params`.

struct Bounds { low: vec3f, high: vec3f }

// The position of the origin of body A, the first body of a pair, at the start of the motion, in multiples of
// params.unit.
var<private> origin: vec3i;

fn offsetFromOrigin(place: vec3i) -> vec3f { return vec3f(place - origin) * params.unit; }

fn areApart(a: Bounds, b: Bounds) -> bool { return any(a.low > b.high) || any(b.low > a.high); }

// Applies the linear part of a placement.
fn imageOf(r0: vec4f, r1: vec4f, r2: vec4f, v: vec3f) -> vec3f { return vec3f(dot(r0.xyz, v), dot(r1.xyz, v), dot(r2.xyz, v)); }
