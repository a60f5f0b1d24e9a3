/** A request whose body is costly to decode, and that anyone may send who may send requests at all. */
export interface HostileBody {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const PREFERENCES = '/apis/preferences.svc.app/v1beta1/namespaces/default/preferences';
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const REVIEW_HEAD = '"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview"';
/** The folder that patches are sent to. */
export const HOSTILE_FOLDER = 'hostile';

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';

/** Bodies of about `bytes` bytes of each shape. */
export function hostileBodies(bytes: number): readonly HostileBody[] {
  return [...jsonBodies(bytes), ...yamlBodies(bytes), ...patches(bytes), ...objects(bytes), ...legacyBodies(bytes)];
}

/** `unit` between commas until the text has about `bytes` bytes. */
function many(unit: (index: number) => string, bytes: number): string {
  const parts: string[] = [];
  for (let i = 0, length = 0; length < bytes; i++) {
    const part = unit(i);
    length += part.length + 1;
    parts.push(part);
  }
  return parts.join(',');
}

const repeated = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length));

/** Values that take the parser, the counting or the schema much time. */
function values(bytes: number): Readonly<Record<string, string>> {
  return {
    'wide array': `[${many(() => '1', bytes)}]`,
    'wide object': `{${many((i) => `"k${i}":1`, bytes)}}`,
    'wide numeric keys': `{${many((i) => `"${i * 7919}":1`, bytes)}}`,
    'repeated keys': `{${many(() => '"a":1', bytes)}}`,
    'empty objects': `[${many(() => '{}', bytes)}]`,
    'nested pairs': `[${many(() => '[[],[]]', bytes)}]`,
    'deep towers': `[${many(() => `${'['.repeat(90)}${']'.repeat(90)}`, bytes)}]`,
    'too deep': `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
    'short strings': `[${many(() => '"a"', bytes)}]`,
    'long number': '1'.repeat(bytes),
    'long numbers': `[${many(() => '123456789.123456789e-300', bytes)}]`,
    'long string': `"${'a'.repeat(bytes)}"`,
    'wide characters': `"${repeated('\u{1f600}', bytes / 2)}"`,
    escapes: `"${repeated('\\u00e9', bytes)}"`,
    'escaped slashes': `"${repeated('\\\\', bytes)}"`,
    blanks: `1${' '.repeat(bytes)}`,
    'blank string': `"${' '.repeat(bytes)}x"`,
    'lines before a fault': `1${'\n'.repeat(bytes)}x`,
    'unclosed array': `[${many(() => '1', bytes)}`,
    'fault at the end': `{"a":[${many(() => '{"b":"c"}', bytes)}],}`,
  };
}

function jsonBodies(bytes: number): readonly HostileBody[] {
  return Object.entries(values(bytes)).flatMap(([name, value]) => [
    post(`JSON ${name}`, REVIEWS, JSON_TYPE, `{${REVIEW_HEAD},"spec":{"a":${value}}}`),
    post(`JSON ${name} as document`, REVIEWS, JSON_TYPE, value),
  ]);
}

function yamlBodies(bytes: number): readonly HostileBody[] {
  const texts = {
    ...values(bytes),
    'block list': repeated('- 1\n', bytes),
    'block map': many((i) => `k${i}: 1\n`, bytes).replaceAll(',', ''),
    'deep block': Array.from({ length: 90 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
    'compact nested lists': `${repeated('- - - - - - - - - - 1\n', bytes)}`,
    documents: repeated('---\na\n', bytes),
    comments: repeated('#\n', bytes),
    anchors: many((i) => `- &a${i} 1\n`, bytes).replaceAll(',', ''),
    'folded text': `a: >\n${repeated('  b\n\n', bytes)}`,
    'plain text': `a: ${repeated('b\n c\n', bytes)}`,
    tags: repeated('- !!str 1\n', bytes),
    'merge keys': `a: &a {${many((i) => `k${i}: 1`, bytes / 2)}}\nb: [${many(() => '{<<: *a}', 500)}]`,
    'empty lines': `a:${'\n'.repeat(bytes)}  1`,
    indicators: repeated('? ', bytes),
    'flow colons': `{${repeated('a: b, ', bytes)}}`,
  };
  return Object.entries(texts).map(([name, text]) =>
    post(`YAML ${name}`, REVIEWS, YAML_TYPE, `a: ${text}`.replace(/^a: (?=- |a: |---|#|k0|\?)/, '')),
  );
}

function patches(bytes: number): readonly HostileBody[] {
  const path = `${FOLDERS}/${HOSTILE_FOLDER}`;
  const merge = Object.entries(values(bytes)).map(([name, value]) =>
    patch(`merge patch ${name}`, path, 'application/merge-patch+json', `{"spec":{"a":${value}}}`),
  );
  const operations = {
    adds: many((i) => `{"op":"add","path":"/spec/a${i}","value":1}`, bytes),
    tests: many(() => '{"op":"test","path":"/spec/title","value":"x"}', bytes),
    'passing tests': many(() => `{"op":"test","path":"/metadata/name","value":"${HOSTILE_FOLDER}"}`, bytes),
    copies: many((i) => `{"op":"copy","from":"/metadata","path":"/spec/a${i}"}`, bytes),
    'wide value': `{"op":"add","path":"/spec/a","value":[${many(() => '1', bytes)}]}`,
    'unknown operations': many(() => '{}', bytes),
  };
  const json = Object.entries(operations).map(([name, text]) =>
    patch(`JSON patch ${name}`, path, 'application/json-patch+json', `[${text}]`),
  );
  return [...merge, ...json];
}

/** Bodies that are objects of a kind, or nearly. */
function objects(bytes: number): readonly HostileBody[] {
  const folder = (metadata: string, spec = '"title":"x"'): string => `{"metadata":{${metadata}},"spec":{${spec}}}`;
  const generate = '"generateName":"hostile-"';
  const texts = {
    'long title': folder(generate, `"title":"${'a'.repeat(bytes)}"`),
    'blank title': folder(generate, `"title":"${' '.repeat(bytes)}x"`),
    'long description': folder(generate, `"title":"x","description":"${'a'.repeat(bytes)}"`),
    'largest description': folder(generate, `"title":"x","description":"${'a'.repeat(100_000)}"`),
    'unknown fields': folder(generate, `"title":"x",${many((i) => `"u${i}":1`, bytes)}`),
    'wrong finalizers': folder(`${generate},"finalizers":[${many(() => '1', bytes)}]`),
    finalizers: folder(`${generate},"finalizers":[${many((i) => `"x.io/${i}"`, bytes)}]`),
    'wrong owners': folder(`${generate},"ownerReferences":[${many(() => '{}', bytes)}]`),
    'unknown members of owners': folder(`${generate},"ownerReferences":[${many(() => '{"a":1,"b":1}', bytes)}]`),
    'managed fields': folder(`${generate},"managedFields":[${many(() => '{}', bytes)}]`),
    'wide managed fields': folder(`${generate},"managedFields":[{"fieldsV1":{${many((i) => `"f:${i}":{}`, bytes)}}}]`),
    labels: folder(`${generate},"labels":{${many((i) => `"l${i}":"x"`, bytes)}}`),
    'wrong labels': folder(`${generate},"labels":{${many((i) => `"l${i}":1`, bytes)}}`),
    annotations: folder(`${generate},"annotations":{${many((i) => `"l${i}":"x"`, bytes)}}`),
    'long annotation': folder(`${generate},"annotations":{"a":"${'a'.repeat(bytes)}"}`),
    'largest annotation': folder(`${generate},"annotations":{"a":"${'a'.repeat(256 * 1024 - 100)}"}`),
    'long label': folder(`${generate},"labels":{"a":"${'a-'.repeat(bytes / 2)}"}`),
    'long name': folder(`"name":"${'a.'.repeat(bytes / 2)}"`),
    'long time': folder(`${generate},"creationTimestamp":"${'1'.repeat(bytes)}"`),
  };
  const folders = Object.entries(texts).map(([name, text]) => post(`folder with ${name}`, FOLDERS, JSON_TYPE, text));
  const cookies = (text: string): string =>
    `{"metadata":{"name":"namespace"},"spec":{"cookiePreferences":{"analytics":${text}}}}`;
  const stored = Object.entries(values(bytes)).map(([name, value]) =>
    post(`preferences with ${name}`, PREFERENCES, JSON_TYPE, cookies(`{"a":${value}}`)),
  );
  return [...folders, ...stored];
}

function legacyBodies(bytes: number): readonly HostileBody[] {
  return Object.entries(values(bytes)).flatMap(([name, value]) => [
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
