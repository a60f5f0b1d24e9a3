/** Random rules for the object of `cases.ts`. Most have the right types. */
export function randomRules(seed: number, count: number): readonly string[] {
  const next = generator(seed);
  return Array.from({ length: count }, () => expression(next, 'bool', 4));
}

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Next = () => number;

/**
 * Templates by the type of the result. Letters stand for expressions: Bool, Int, Double, Text, L (list of integers), K
 * (list of texts), Map, dYn.
 */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  bool: [
    'true',
    'self.b',
    'has(self.maybe)',
    'has(self.nested.none)',
    'has(self.map.a)',
    'has(oldSelf.i)',
    'B && B',
    'B || B',
    '!B',
    'B ? B : B',
    'I == I',
    'I < I',
    'I >= D',
    'D != D',
    'T == T',
    'T < T',
    'T.startsWith(T)',
    'T.contains(T)',
    'T.matches("[a-l]+")',
    'L == L',
    'I in L',
    'T in M',
    'K == K',
    'L.all(x, B)',
    'L.exists(x, x > I)',
    'L.exists_one(x, x == I)',
    'K.all(t, t.size() > I)',
    'M.all(k, B)',
    'M == M',
    'sets.contains(L, L)',
    'L.isSorted()',
    'Y == Y',
    'Y == I',
    'type(Y) == int',
    'self.nested == oldSelf.nested',
    'L.all(i, v, i < v)',
    'self.when > self.day',
    'self.pairs.all(p, p.v > I)',
    'self.pairs == oldSelf.pairs',
    'self.set == self.set2',
    'optional.of(I).hasValue()',
    'self.?maybe.hasValue()',
    'self.map[?T].orValue(T) == T',
    'isQuantity(T)',
    'isIP(T)',
    'T == I',
    'I && B',
  ],
  int: [
    '1',
    '0',
    '-3',
    '7',
    'self.i',
    'self.j',
    'oldSelf.i',
    'I + I',
    'I - I',
    'I * I',
    'I / I',
    'I % I',
    'size(T)',
    'L.size()',
    'K.size()',
    'M.size()',
    'L[I]',
    'B ? I : I',
    'T.indexOf(T)',
    'int(D)',
    'int(Y)',
    'L.sum()',
    'L.max()',
    'self.counts[T]',
    'self.pairs[I].v',
    'self.nested.a',
    'self.map.size()',
    'self.when.getHours()',
  ],
  double: ['1.5', '0.0', 'self.d', 'D + D', 'D * D', 'D / D', 'double(I)', 'B ? D : D', 'self.doubles[I]'],
  text: [
    '"a"',
    '""',
    '"hello"',
    'self.s',
    'self.t',
    'oldSelf.s',
    'self.mode',
    'T + T',
    'B ? T : T',
    'string(I)',
    'string(D)',
    'string(B)',
    'T.upperAscii()',
    'T.substring(I)',
    'T.replace(T, T)',
    'K[I]',
    'M[T]',
    'self.map.a',
    'K.join(T)',
    'T.trim()',
    'self.nested.none',
    'self.nested.deep.z',
    'T.charAt(I)',
    'self.pairs[I].k',
    '"%s-%d".format([T, I])',
    'T.find("l+")',
  ],
  ints: [
    '[I, I]',
    '[]',
    'self.ints',
    'oldSelf.ints',
    'L + L',
    'L.map(x, x + I)',
    'L.filter(x, x > I)',
    'B ? L : L',
    'L.map(x, x > I, x)',
    'self.lists[I]',
    'L.sort()',
    'L.reverse()',
    'L.distinct()',
    'self.pairs.map(p, p.v)',
    'L.transformList(i, v, i + v)',
    'L.slice(0, I)',
    'self.lists.flatten()',
  ],
  texts: [
    '[T, T]',
    'self.texts',
    'self.set',
    'K + K',
    'K.map(t, t + T)',
    'K.filter(t, t < T)',
    'T.split(T)',
    'M.map(k, k)',
    'self.pairs.map(p, p.k)',
    'T.findAll("[a-z]")',
  ],
  map: ['self.map', 'oldSelf.map', '{T: T}', 'B ? M : M', 'M.transformMap(k, v, v + T)'],
  dyn: ['self.port', 'self.word', 'dyn(I)', 'dyn(D)', 'dyn(T)', 'Y + Y', 'dyn(L)'],
};

const LETTERS: Readonly<Record<string, string>> = {
  B: 'bool',
  I: 'int',
  D: 'double',
  T: 'text',
  L: 'ints',
  K: 'texts',
  M: 'map',
  Y: 'dyn',
};

function expression(next: Next, type: string, depth: number): string {
  const all = TEMPLATES[type] ?? [];
  const simple = all.filter((template) => !/[BIDTLKMY](?![a-z])/.test(template.replace(/"[^"]*"|self|oldSelf/g, '')));
  const from = depth <= 0 ? simple : all;
  const template = from[Math.floor(next() * from.length)] ?? 'true';
  const filled = template.replace(/"[^"]*"|\b[BIDTLKMY]\b/g, (part) => {
    const inner = LETTERS[part];
    return inner === undefined ? part : expression(next, inner, depth - 1);
  });
  return /^[\w."]+$/.test(filled) ? filled : `(${filled})`;
}
