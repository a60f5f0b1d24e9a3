import { limitsOf } from '../../pkg/kube/json/limits.js';
import { FOLDERS } from './fixtures.js';

/** A request whose body is costly to decode. Every caller who may send requests at all may send it. */
export interface HostileBody {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

const PREFERENCES = '/apis/preferences.svc.app/v1beta1/namespaces/default/preferences';
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const REVIEW_HEAD = '"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview"';
/** The folder that patches are sent to. */
export const HOSTILE_FOLDER = 'hostile';
const PATCHED = `${FOLDERS}/${HOSTILE_FOLDER}`;

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';

export interface BodySizes {
  readonly bytes: number;
  readonly yamlBytes: number;
  /** The maximum number of members and elements in JSON, and in YAML. */
  readonly values: number;
  readonly yamlValues: number;
}

/** The largest bodies that a server with these limits decodes. */
export function largest(bytes: number, yamlBytes: number): BodySizes {
  return { bytes, yamlBytes, values: limitsOf(bytes).values, yamlValues: limitsOf(yamlBytes).values };
}

/** The same with default settings. */
export const LARGEST = largest(16 * 2 ** 20, 3 * 2 ** 20);
/** Bodies of the maximum size, and of any number of values. */
const ANY = Number.POSITIVE_INFINITY;
export const REFUSED: BodySizes = {
  bytes: LARGEST.bytes,
  yamlBytes: LARGEST.bytes,
  values: ANY,
  yamlValues: ANY,
};

/** A body of each shape, as large as the sizes allow. */
export function hostileBodies({ bytes, yamlBytes, values, yamlValues }: BodySizes): readonly HostileBody[] {
  const size = { bytes: bytes - ROOM, values: values - ROOM };
  const yaml = { bytes: yamlBytes - ROOM, values: yamlValues - ROOM };
  return [
    ...jsonBodies(size),
    ...yamlBodies(yaml),
    ...mergePatches(size),
    ...jsonPatches(size),
    ...objects(size),
    ...legacyBodies(size),
  ];
}

type Size = Pick<BodySizes, 'bytes' | 'values'>;

/** For what is around the costly part of a body: bytes, or values. */
const ROOM = 300;

/** `unit` between commas. */
function many(unit: (index: number) => string, size: Size): string {
  const parts: string[] = [];
  let [bytes, values] = [0, 0];
  for (;;) {
    const part = unit(parts.length);
    bytes += part.length + 1;
    values += 1 + (part.match(/[,[{]/g)?.length ?? 0);
    if (bytes > size.bytes || values > size.values) return parts.join(',');
    parts.push(part);
  }
}

const repeated = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length));

/** Values that take the parser, the counting or the schema much time. */
function values(size: Size): Readonly<Record<string, string>> {
  const { bytes } = size;
  return {
    'wide array': `[${many(() => '1', size)}]`,
    'wide object': `{${many((i) => `"k${i}":1`, size)}}`,
    'wide numeric keys': `{${many((i) => `"${i * 7919}":1`, size)}}`,
    'repeated keys': `{${many(() => '"a":1', size)}}`,
    'wide object of texts': `{${many((i) => `"key number ${i}":"${'a\\u00e9'.repeat(4)}"`, size)}}`,
    'empty objects': `[${many(() => '{}', size)}]`,
    'nested pairs': `[${many(() => '[[],[]]', size)}]`,
    'deep towers': `[${many(() => `${'['.repeat(90)}${']'.repeat(90)}`, size)}]`,
    'too deep': `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
    'short strings': `[${many(() => '"a"', size)}]`,
    'long number': '1'.repeat(bytes),
    'long numbers': `[${many(() => '123456789.123456789e-300', size)}]`,
    'long string': `"${'a'.repeat(bytes)}"`,
    'wide characters': `"${repeated('\u{1f600}', bytes / 2)}"`,
    'escaped quotes': `"${repeated('\\"', bytes)}"`,
    escapes: `"${repeated('\\u00e9', bytes)}"`,
    'escaped slashes': `"${repeated('\\\\', bytes)}"`,
    blanks: `1${' '.repeat(bytes)}`,
    'blank string': `"${' '.repeat(bytes)}x"`,
    'lines before a fault': `1${'\n'.repeat(bytes)}x`,
    'unclosed array': `[${many(() => '1', size)}`,
    'array of objects': `[${many((i) => `{"id":${i},"title":"panel ${i}","type":"graph"}`, size)}]`,
    'map of objects': `{${Array.from({ length: 40 }, (_, j) => `"m${j}":{${many((i) => `"k${i}":{"a":"b ${i}"}`, { bytes: size.bytes / 41, values: size.values / 41 })}}`).join(',')}}`,
    'fault at the end': `{"a":[${many(() => '{"b":"c"}', size)}],}`,
  };
}

function jsonBodies(size: Size): readonly HostileBody[] {
  return Object.entries(values(size)).flatMap(([name, value]) => [
    post(`JSON ${name}`, REVIEWS, JSON_TYPE, `{${REVIEW_HEAD},"spec":{"a":${value}}}`),
    post(`JSON ${name} as document`, REVIEWS, JSON_TYPE, value),
  ]);
}

function yamlBodies(size: Size): readonly HostileBody[] {
  const { bytes } = size;
  const texts = {
    ...values(size),
    'block list': repeated('- 1\n', bytes),
    'block map': many((i) => `k${i}: 1\n`, size).replaceAll(',', ''),
    'deep block': Array.from({ length: 90 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
    'compact nested lists': `${repeated('- - - - - - - - - - 1\n', bytes)}`,
    documents: repeated('---\na\n', bytes),
    comments: repeated('#\n', bytes),
    anchors: many((i) => `- &a${i} 1\n`, size).replaceAll(',', ''),
    'folded text': `a: >\n${repeated('  b\n\n', bytes)}`,
    'plain text': `a: ${repeated('b\n c\n', bytes)}`,
    tags: repeated('- !!str 1\n', bytes),
    'merge keys': `a: &a {${many((i) => `k${i}: 1`, { ...size, values: size.values / 120 })}}\nb: [${many(() => '{<<: *a}', { bytes: 1000, values: 200 })}]`,
    'empty lines': `a:${'\n'.repeat(bytes)}  1`,
    indicators: repeated('? ', bytes),
    'flow colons': `{${repeated('a: b, ', bytes)}}`,
  };
  return Object.entries(texts).map(([name, text]) =>
    post(`YAML ${name}`, REVIEWS, YAML_TYPE, `a: ${text}`.replace(/^a: (?=- |a: |---|#|k0|\?)/, '')),
  );
}

function mergePatches(size: Size): readonly HostileBody[] {
  return Object.entries(values(size)).flatMap(([name, value]) => [
    patch(`merge patch ${name}`, PATCHED, 'application/merge-patch+json', `{"spec":{"a":${value}}}`),
    patch(`merge patch ${name} as spec`, PATCHED, 'application/merge-patch+json', `{"spec":${value}}`),
  ]);
}

function jsonPatches(size: Size): readonly HostileBody[] {
  const operations = {
    adds: many((i) => `{"op":"add","path":"/spec/a${i}","value":1}`, size),
    tests: many(() => '{"op":"test","path":"/spec/title","value":"x"}', size),
    'passing tests': many(() => `{"op":"test","path":"/metadata/name","value":"${HOSTILE_FOLDER}"}`, size),
    copies: many((i) => `{"op":"copy","from":"/metadata","path":"/spec/a${i}"}`, size),
    'wide value': `{"op":"add","path":"/spec/a","value":[${many(() => '1', size)}]}`,
    'unknown operations': many(() => '{}', size),
  };
  return Object.entries(operations).map(([name, text]) =>
    patch(`JSON patch ${name}`, PATCHED, 'application/json-patch+json', `[${text}]`),
  );
}

/** Bodies that are objects of a kind, or nearly. */
function objects(size: Size): readonly HostileBody[] {
  const { bytes } = size;
  const folder = (metadata: string, spec = '"title":"x"'): string => `{"metadata":{${metadata}},"spec":{${spec}}}`;
  const generate = '"generateName":"hostile-"';
  const texts = {
    'long title': folder(generate, `"title":"${'a'.repeat(bytes)}"`),
    'blank title': folder(generate, `"title":"${' '.repeat(bytes)}x"`),
    'long description': folder(generate, `"title":"x","description":"${'a'.repeat(bytes)}"`),
    'largest description': folder(generate, `"title":"x","description":"${'a'.repeat(100_000)}"`),
    'unknown fields': folder(generate, `"title":"x",${many((i) => `"u${i}":1`, size)}`),
    'wrong finalizers': folder(`${generate},"finalizers":[${many(() => '1', size)}]`),
    finalizers: folder(`${generate},"finalizers":[${many((i) => `"x.io/${i}"`, size)}]`),
    'wrong owners': folder(`${generate},"ownerReferences":[${many(() => '{}', size)}]`),
    'unknown members of owners': folder(`${generate},"ownerReferences":[${many(() => '{"a":1,"b":1}', size)}]`),
    'managed fields': folder(`${generate},"managedFields":[${many(() => '{}', size)}]`),
    'wide managed fields': folder(`${generate},"managedFields":[{"fieldsV1":{${many((i) => `"f:${i}":{}`, size)}}}]`),
    labels: folder(`${generate},"labels":{${many((i) => `"l${i}":"x"`, size)}}`),
    'wrong labels': folder(`${generate},"labels":{${many((i) => `"l${i}":1`, size)}}`),
    annotations: folder(`${generate},"annotations":{${many((i) => `"l${i}":"x"`, size)}}`),
    'long annotation': folder(`${generate},"annotations":{"a":"${'a'.repeat(bytes)}"}`),
    'largest annotation': folder(`${generate},"annotations":{"a":"${'a'.repeat(256 * 1024 - 100)}"}`),
    'long label': folder(`${generate},"labels":{"a":"${'a-'.repeat(bytes / 2)}"}`),
    'long name': folder(`"name":"${'a.'.repeat(bytes / 2)}"`),
    'long time': folder(`${generate},"creationTimestamp":"${'1'.repeat(bytes)}"`),
  };
  const folders = Object.entries(texts).map(([name, text]) => post(`folder with ${name}`, FOLDERS, JSON_TYPE, text));
  const cookies = (text: string): string =>
    `{"metadata":{"name":"namespace"},"spec":{"cookiePreferences":{"analytics":${text}}}}`;
  const stored = Object.entries(values(size)).map(([name, value]) =>
    post(`preferences with ${name}`, PREFERENCES, JSON_TYPE, cookies(`{"a":${value}}`)),
  );
  return [...folders, ...stored];
}

function legacyBodies(size: Size): readonly HostileBody[] {
  return Object.entries(values(size)).flatMap(([name, value]) => [
    post(`legacy ${name}`, '/api/folders', JSON_TYPE, `{"title":${value}}`),
    post(`login ${name}`, '/login', JSON_TYPE, `{"user":${value}}`),
  ]);
}

const post = (name: string, path: string, contentType: string, text: string): HostileBody =>
  made('POST', name, path, contentType, text);
const patch = (name: string, path: string, contentType: string, text: string): HostileBody =>
  made('PATCH', name, path, contentType, text);

function made(method: string, name: string, path: string, contentType: string, text: string): HostileBody {
  return { name, method, path, contentType, body: Buffer.from(text) };
}
