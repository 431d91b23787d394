// Declares the types of the npm package box-intersect, which has no types of its own.
declare module 'box-intersect' {
  export default function boxIntersect(
    boxes: number[][],
    visit?: (a: number, b: number) => void,
  ): [number, number][];
}
