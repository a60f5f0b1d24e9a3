import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledPackages, type Shipped } from './shipped.js';

const HEAD = `dashboard-apiserver
Copyright 2026 the authors of dashboard-apiserver

It is licensed under the Apache License, Version 2.0 (see LICENSE).

The archive contains parts of the packages below. What follows the names of packages is the text of their licence, and what they ask to be told.
All packages are unchanged. Their sources, also of those under MPL-2.0, are in the packages of these names and versions: https://www.npmjs.com

The fields of Kubernetes' messages (pkg/kube/protobuf/descriptors.json) are made of the types in k8s.io/api, k8s.io/apimachinery and
k8s.io/apiextensions-apiserver (Copyright The Kubernetes Authors, Apache License, Version 2.0).
`;

const RULE = '='.repeat(80);
const LICENCE = /^(?:licen[cs]e|copying|notice)(?:[-.]|$)/i;
/** It is the licence of this product, too, and LICENSE has its text. */
const APACHE = /^\s*Apache License\s+Version 2\.0, January 2004/;

/** The text of NOTICE. Packages with the same text are together. */
export async function noticeText(): Promise<string> {
  const packagesByText = new Map<string, Shipped[]>();
  for (const one of await bundledPackages()) {
    const text = await textsOf(one);
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), one]);
  }
  const parts = [...packagesByText].map(([text, packages]) => `${RULE}\n${titleOf(packages)}\n\n${text}\n`);
  return [HEAD, ...parts].join('\n');
}

const titleOf = (packages: readonly Shipped[]): string =>
  packages.map(({ name, version, license }) => `${name} ${version} (${license})`).join('\n');

async function textsOf({ name, license, folder }: Shipped): Promise<string> {
  const files = (await readdir(folder)).filter((file) => LICENCE.test(file)).toSorted();
  if (files.length === 0) return `The package has no text of its licence. Its manifest says: ${license} (${name})`;
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.map(shortened).join('\n\n');
}

const shortened = (text: string): string => {
  const lines = text.replaceAll('\r\n', '\n').trim();
  return APACHE.test(lines) ? copyrightsOf(lines) : lines;
};

function copyrightsOf(text: string): string {
  const own = text.match(/^ {3}Copyright (?!\[yyyy\]).*$/gm) ?? [];
  return ['Apache License, Version 2.0: see LICENSE.', ...own.map((line) => line.trim())].join('\n');
}
