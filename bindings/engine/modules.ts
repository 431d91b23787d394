// Loads the modules of the package on demand, and adds their methods to an engine.

import { missingModule, Unsupported } from '../core/errors.js';
import type { EngineHost, EngineModule, ExtendedQueries } from '../core/module.js';
import { type ModuleName, moduleTable } from './moduleTable.js';

/** Any module. */
export type AnyModule = EngineModule<object>;

export const moduleNames = Object.keys(moduleTable) as ModuleName[];

/** Returns these modules and the modules that they need, without repetitions. */
export const withDependencies = (names: readonly ModuleName[]): ModuleName[] =>
  moduleNames.filter(name =>
    names.some(
      requested =>
        requested === name ||
        (moduleTable[requested] as { needs?: readonly ModuleName[] }).needs?.includes(name),
    ),
  );

/** Loads a module. @throws Unsupported if its file cannot be loaded */
export async function loadModule(name: ModuleName): Promise<AnyModule> {
  try {
    return ((await moduleTable[name].load()) as Record<ModuleName, AnyModule>)[name];
  } catch (error) {
    throw new Unsupported(
      `module '${name}' could not be loaded: ${String(error)}`,
      'serve its file as well, or omit it from modules',
    );
  }
}

/**
 * Returns a substitute for a method of a module that was left out, or for an object with methods, such as
 * engine.async. Calling the substitute, or reading a property of it, throws Unsupported.
 */
function missingMethod(method: string, name: ModuleName): unknown {
  const get = (): never => {
    throw missingModule(`engine.${method}`, name);
  };
  return new Proxy(get, { get });
}

/**
 * Adds the methods of all modules to an engine. Methods of modules that were not loaded throw. Returns a map
 * from the name of each loaded module to the object that its makeMethods returned.
 */
export function addMethods(
  engine: object,
  loaded: ReadonlyMap<ModuleName, AnyModule>,
  host: EngineHost,
): ReadonlyMap<string, object & { extendedQueries?: ExtendedQueries }> {
  const all = new Map<string, object>();
  for (const name of moduleNames) {
    const moduleMethods = loaded.get(name)?.makeMethods(host);
    const to = engine as Record<string, unknown>;
    if (moduleMethods) all.set(name, moduleMethods);
    for (const method of moduleTable[name].methods as readonly string[]) {
      const value = moduleMethods && (moduleMethods as Record<string, unknown>)[method];
      to[method] = !moduleMethods
        ? missingMethod(method, name)
        : typeof value === 'function'
          ? value.bind(moduleMethods)
          : value;
    }
  }
  return all;
}
