declare module 'box-intersect' {
  export default function boxIntersect(
    boxes: number[][],
    visit?: (a: number, b: number) => void,
  ): [number, number][];
}
