import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { CustomResourceDefinitionSpec } from '../../../apis/apiextensions/customresourcedefinition/schema.js';

export interface RealDefinition {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: CustomResourceDefinitionSpec;
}

const FOLDER = new URL('../definitions/', import.meta.url);

/** Definitions of real projects. */
export const REAL: readonly RealDefinition[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => load(readFileSync(new URL(name, FOLDER), 'utf8')) as RealDefinition);
