/**
 * The parts of Node's modules that are used here. This file is also a part of the console, so it imports nothing of
 * Node.
 */
interface NodeModules {
  getBuiltinModule?(name: 'node:v8'): { setFlagsFromString(flags: string): void };
  getBuiltinModule?(name: 'node:vm'): { runInNewContext(code: string): unknown };
}

type RawJson = (text: string) => object;

/**
 * How many numbers were written as bigint. `wholeNumbersWritten` tells whether a text has some, at no cost for texts
 * that have none.
 */
let written = 0;

/**
 * `JSON.stringify` writes a bigint as the number that it is, everywhere in the process, so that no place can forget it:
 * it would throw otherwise. Node 20 has `JSON.rawJSON` behind a flag, and only contexts that are made after the flag
 * was set have it. A browser without it throws when it writes such a number, and never writes another one.
 */
function install(): void {
  const raw = (JSON as { readonly rawJSON?: RawJson }).rawJSON ?? rawJsonOfNode20();
  if (raw === undefined || Object.hasOwn(BigInt.prototype, 'toJSON')) return;
  Object.defineProperty(BigInt.prototype, 'toJSON', {
    value(this: bigint): object {
      written++;
      return raw(this.toString());
    },
    configurable: true,
    writable: true,
  });
}

function rawJsonOfNode20(): RawJson | undefined {
  const modules = (globalThis as { readonly process?: NodeModules }).process;
  if (modules?.getBuiltinModule === undefined) return undefined;
  modules.getBuiltinModule('node:v8').setFlagsFromString('--harmony-json-parse-with-source');
  const rawJson = modules.getBuiltinModule('node:vm').runInNewContext('JSON.rawJSON') as RawJson | undefined;
  modules.getBuiltinModule('node:v8').setFlagsFromString('--no-harmony-json-parse-with-source');
  return rawJson;
}

install();

/** How many bigints were written since the start. Two equal results mean that a text written between them has none. */
export function wholeNumbersWritten(): number {
  return written;
}
