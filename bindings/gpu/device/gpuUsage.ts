// Values of GPUBufferUsage, which Node does not define.

export const usage = {
  mapRead: 1,
  mapWrite: 2,
  copyFrom: 4,
  copyTo: 8,
  uniform: 64,
  storage: 128,
  queryResolve: 512,
} as const;
