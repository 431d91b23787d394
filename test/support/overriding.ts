// Makes a proxy of an object with some members replaced. All other members, including private state, are
// those of the original object.

export function overriding<T extends object>(real: T, members: Partial<T>): T {
  return new Proxy(real, {
    get(_, key) {
      if (Object.hasOwn(members, key)) return members[key as keyof T];
      const value = real[key as keyof T];
      return typeof value === 'function' ? value.bind(real) : value;
    },
    set: (_, key, value) => Reflect.set(real, key, value),
  });
}
