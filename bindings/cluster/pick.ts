// Copies some properties of an object.

/** Returns a new object with only the named properties, in the order of `names`. */
export const pick = <T, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map(name => [name, from[name]])) as Pick<T, K>;
