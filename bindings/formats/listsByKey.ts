// Adds values to the lists of a map from keys to lists.

/** Adds a value to the list of a key. */
export function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
