import {
  Composer,
  CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  type Tags,
  type YAMLMap,
} from 'yaml';
import { badRequest } from '../status/errors.js';
import { fieldPath } from './scan.js';

const MAX_DUPLICATES = 100;
/** The library resolves an alias by walking the document, and each alias may repeat a large part of it. */
const MAX_ALIASES = 100;
/** The number of nodes after aliases are expanded. A body of 3 MiB without aliases has fewer. */
const MAX_NODES = 2_000_000;

export interface ParsedYaml {
  readonly value: unknown;
  readonly duplicates: readonly string[];
}

/**
 * Decodes one YAML document to a JSON value, as Kubernetes reads it: YAML 1.1 without dates and base-60 numbers. The library parses; the
 * conversion is by hand because its own has no limits on depth and expansion and does not report repeated keys.
 */
export function parseYaml(text: string, maxDepth: number): ParsedYaml {
  const document = compose(text, maxDepth);
  const conversion = new Conversion(document, maxDepth);
  return { value: conversion.convert(document.contents, 0), duplicates: [...conversion.duplicates] };
}

function compose(text: string, maxDepth: number): Document.Parsed {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  for (const token of tokens) checkDepth(token, maxDepth);
  const composer = new Composer({ version: '1.1', uniqueKeys: false, customTags: jsonTags, logLevel: 'silent' });
  const documents = [...composer.compose(tokens, true, text.length)];
  for (const { errors } of documents) {
    const [error] = errors;
    if (error === undefined) continue;
    const { line, col } = lines.linePos(error.pos[0]);
    throw badRequest(`the body is not valid YAML: line ${line}, column ${col}: ${error.message}`, error);
  }
  const [document] = documents;
  if (document === undefined || documents.length > 1)
    throw badRequest('the body must be one YAML document, not several');
  return document;
}

/** Drops the tags without a JSON form, and base-60 numbers, which would turn `12:30` into 750. */
function jsonTags(tags: Tags): Tags {
  const dropped = /:(?:binary|omap|pairs|set|timestamp)$/;
  return tags.filter(
    (tag) => typeof tag === 'string' || (!dropped.test(tag.tag) && !('format' in tag && tag.format === 'TIME')),
  );
}

/** Checks the depth between the parser, which is not recursive, and the composer, which is; so this check is not recursive either. */
function checkDepth(document: CST.Token, maxDepth: number): void {
  if (document.type !== 'document') return;
  const open: { readonly token: CST.Token | null | undefined; readonly depth: number }[] = [
    { token: document.value, depth: 1 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (!CST.isCollection(token)) continue;
    if (depth > maxDepth) throw tooDeep(maxDepth);
    for (const { key, value } of token.items)
      open.push({ token: key, depth: depth + 1 }, { token: value, depth: depth + 1 });
  }
}

const tooDeep = (maxDepth: number): Error => badRequest(`the body is nested deeper than ${maxDepth} levels`);

class Conversion {
  readonly duplicates = new Set<string>();
  readonly #document: Document.Parsed;
  readonly #maxDepth: number;
  readonly #path: (string | number)[] = [];
  #aliases = 0;
  #nodes = 0;

  constructor(document: Document.Parsed, maxDepth: number) {
    this.#document = document;
    this.#maxDepth = maxDepth;
  }

  /** Always makes new values, so that two aliases of one anchor share nothing. */
  convert(node: unknown, depth: number): unknown {
    if (++this.#nodes > MAX_NODES) throw badRequest('the body is too large once its YAML aliases are expanded');
    if (depth > this.#maxDepth) throw tooDeep(this.#maxDepth);
    if (isAlias(node)) return this.convert(this.#resolve(node), depth);
    if (isMap(node)) return this.#map(node, depth + 1);
    if (isSeq(node)) return node.items.map((item, index) => this.#at(index, item, depth + 1));
    return isScalar(node) ? this.#scalar(node.value) : null;
  }

  #map(map: YAMLMap, depth: number): Record<string, unknown> {
    const own = new Map<string, unknown>();
    const merged = new Map<string, unknown>();
    for (const { key, value } of map.items) {
      if (isScalar(key) && isMergeKey(key)) {
        this.#merge(value, depth, merged);
        continue;
      }
      const name = this.#key(key);
      this.#path.push(name);
      if (own.has(name) && this.duplicates.size < MAX_DUPLICATES) this.duplicates.add(fieldPath(this.#path));
      this.#path.pop();
      own.set(name, this.#at(name, value, depth));
    }
    return Object.fromEntries([...merged, ...own]);
  }

  /** `<<` adds the members of the named mappings. Earlier mappings win over later ones, and the mapping's own members over all. */
  #merge(value: unknown, depth: number, into: Map<string, unknown>): void {
    const source = this.convert(value, depth);
    for (const members of Array.isArray(source) ? source : [source]) {
      if (typeof members !== 'object' || members === null || Array.isArray(members)) {
        throw badRequest('the body is not valid YAML: << must name a mapping or a list of mappings');
      }
      for (const [name, member] of Object.entries(members)) if (!into.has(name)) into.set(name, member);
    }
  }

  #at(step: string | number, node: unknown, depth: number): unknown {
    this.#path.push(step);
    const value = this.convert(node, depth);
    this.#path.pop();
    return value;
  }

  /** Keys keep their text: the key `y` of a panel's position is not a boolean. */
  #key(key: unknown): string {
    const scalar = isAlias(key) ? this.#resolve(key) : key;
    if (isScalar(scalar))
      return scalar.type === 'PLAIN' && scalar.source !== undefined ? scalar.source : String(scalar.value);
    if (scalar === null) return 'null';
    throw badRequest(`the body is not valid YAML: the keys of ${this.#here()} must be scalars`);
  }

  #scalar(value: unknown): unknown {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw badRequest(`${this.#here()} has no JSON form: ${String(value)}`);
  }

  #resolve(alias: { readonly source: string; resolve(document: Document): unknown }): unknown {
    if (++this.#aliases > MAX_ALIASES) throw badRequest(`the body has more than ${MAX_ALIASES} YAML aliases`);
    const target = alias.resolve(this.#document);
    if (target === undefined) throw badRequest(`the body is not valid YAML: unknown alias *${alias.source}`);
    return target;
  }

  #here(): string {
    return this.#path.length === 0 ? 'the body' : fieldPath(this.#path);
  }
}

/** A quoted `<<` is an ordinary key. */
function isMergeKey(key: { readonly value: unknown; readonly type?: string | undefined }): boolean {
  return (key.value === '<<' || typeof key.value === 'symbol') && (key.type === undefined || key.type === 'PLAIN');
}
