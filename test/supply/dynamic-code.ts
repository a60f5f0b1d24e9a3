/** Matches code that makes code from text: eval, the usual forms of the constructor Function, and the module `vm`. */
export const DYNAMIC =
  /(?<![.\w])eval\((?!.*\)\s*\{$)|globalObject\.eval\(|(?<![.\w'])Function\(['"`\w.]|=\s*Function;|(?:require\(|from )['"](?:node:)?vm['"]/;

/** The packages and files in the archive that match, and why no text of a client becomes code. */
export const DYNAMIC_CODE: Readonly<Record<string, string>> = {
  'node_modules/depd':
    'Wraps a deprecated function. The text has only names of arguments, of which the number is that of the function.',
  'node_modules/http-assert/node_modules/depd': 'The same in an earlier version.',
  'node_modules/ldapts/node_modules/whatwg-url': 'The same as node_modules/whatwg-url, in another version.',
  'node_modules/msgpackr':
    'Comes with lmdb, for values in its own encoding. The store has bytes and JSON, so it never reads or writes any.',
  'node_modules/ordered-binary':
    'Makes a function of a fixed text when it is loaded. Keys of the store are bytes, and it is not called for them.',
  'node_modules/protobufjs':
    'Compiles messages to functions. The text is made of pkg/kube/protobuf/descriptors.json, which comes with the code, and not of what clients send.',
  'node_modules/reflect-metadata': 'Looks for the global object where there is no globalThis. The text is fixed.',
  'node_modules/whatwg-url': 'Makes a generator of a fixed text when it is loaded, to get the prototype.',
  'node_modules/zod':
    'Compiles schemas to functions. The text is made of the schemas of the code, with all names as JSON; custom kinds are checked without it.',
  'pkg/identity/signon/expression.ts':
    'Runs fixed code in a context of its own, because only a script can be ended after a time. The expression is its data.',
};
