import { dns1123SubdomainProblems } from '../../../../pkg/kube/meta/names.js';
import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import type { CustomResourceDefinitionNames } from '../schema.js';
import { invalid } from './field-error.js';

const LABEL_MAX = 63;
const SUBDOMAIN_MAX = 253;
const label = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character " +
  "(e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const tooLong = (max: number): string => `must be no more than ${max} characters`;

/** Why the text is no DNS-1035 label. */
export function labelProblems(text: string): readonly string[] {
  const problems = Buffer.byteLength(text) > LABEL_MAX ? [tooLong(LABEL_MAX)] : [];
  return label.test(text) ? problems : [...problems, LABEL_TEXT];
}

/** Why the text is no DNS-1123 subdomain. */
export function subdomainProblems(text: string): readonly string[] {
  const problems = Buffer.byteLength(text) > SUBDOMAIN_MAX ? [tooLong(SUBDOMAIN_MAX)] : [];
  const parts = text.split('.');
  const wrong = parts
    .map((part) => dns1123SubdomainProblems(part.slice(0, SUBDOMAIN_MAX)))
    .find((list) => list.length > 0);
  return [...problems, ...(wrong ?? [])];
}

/** Checks the names of a spec or those that a status accepted. Those that are empty are not checked. */
export function namesCauses(names: CustomResourceDefinitionNames, path: string): readonly StatusCause[] {
  const { kind = '', listKind = '' } = names;
  const causes: StatusCause[] = [];
  const check = (field: string, value: string, text: string, prefix = ''): void => {
    const problems = labelProblems(text);
    if (problems.length > 0) causes.push(invalid(`${path}.${field}`, value, `${prefix}${problems.join(',')}`));
  };
  for (const field of ['plural', 'singular'] as const) if (names[field]) check(field, names[field], names[field]);
  const mixed = 'may have mixed case, but should otherwise match: ';
  for (const field of ['kind', 'listKind'] as const) {
    const value = names[field];
    if (value) check(field, value, value.toLowerCase(), mixed);
  }
  names.shortNames?.forEach((name, i) => {
    check(`shortNames[${i}]`, name, name);
  });
  if (kind !== '' && kind === listKind) {
    causes.push(invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same'));
  }
  names.categories?.forEach((name, i) => {
    check(`categories[${i}]`, name, name);
  });
  return causes;
}
