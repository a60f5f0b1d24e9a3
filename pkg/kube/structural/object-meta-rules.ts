import { labelValueProblems, qualifiedNameProblems } from '../meta/names.js';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../meta/types.js';
import type { StatusCause } from '../status/status.js';
import { append } from './append.js';
import { child, invalid, invalidPrinted, key, notSupported, required, tooLong } from './cause.js';
import { shownStruct } from './shown.js';

const MAX_ANNOTATION_BYTES = 256 * 1024;
const MAX_MANAGER = 128;
const MAX_SUBRESOURCE = 256;
const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_BYTES = 63;
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/**
 * The rules of ValidateObjectMeta (apimachinery/pkg/api/validation) for the metadata of an embedded resource, which
 * needs no name.
 */
export function objectMetaCauses(meta: Partial<ObjectMeta>, path: string): readonly StatusCause[] {
  const at = (name: string): string => child(path, name);
  const { generateName = '', name = '', namespace = '', generation = 0 } = meta;
  const causes = segmentProblems(generateName, true).map((detail) => invalid(at('generateName'), generateName, detail));
  append(
    causes,
    segmentProblems(name, false).map((detail) => invalid(at('name'), name, detail)),
  );
  if (namespace !== '')
    append(
      causes,
      labelProblems(namespace).map((detail) => invalid(at('namespace'), namespace, detail)),
    );
  if (generation < 0) causes.push(invalid(at('generation'), generation, 'must be greater than or equal to 0'));
  append(causes, labelCauses(meta.labels ?? {}, at('labels')));
  append(causes, annotationCauses(meta.annotations ?? {}, at('annotations')));
  append(causes, ownerCauses(meta.ownerReferences ?? [], at('ownerReferences')));
  append(causes, finalizerCauses(meta.finalizers ?? [], at('finalizers')));
  (meta.managedFields ?? []).forEach((entry, i) => {
    append(causes, managedCauses(entry, key(at('managedFields'), i)));
  });
  return causes;
}

/** A generateName is the beginning of a name, so that it may be a dot. */
function segmentProblems(name: string, isPrefix: boolean): readonly string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((char) => name.includes(char)).map((char) => `may not contain '${char}'`);
}

function labelProblems(name: string): readonly string[] {
  const problems = Buffer.byteLength(name) > LABEL_BYTES ? [`must be no more than ${LABEL_BYTES} bytes`] : [];
  if (LABEL.test(name)) return problems;
  const isSubdomain = name.split('.').every((part) => LABEL.test(part));
  return [...problems, isSubdomain ? 'must not contain dots' : LABEL_TEXT];
}

function labelCauses(labels: Readonly<Record<string, string>>, path: string): readonly StatusCause[] {
  return Object.entries(labels).flatMap(([name, value]) => [
    ...qualifiedNameProblems(name).map((detail) => invalid(path, name, detail)),
    ...labelValueProblems(value).map((detail) => invalid(path, value, detail)),
  ]);
}

function annotationCauses(annotations: Readonly<Record<string, string>>, path: string): readonly StatusCause[] {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
  const causes = entries.flatMap(([name]) =>
    qualifiedNameProblems(name.toLowerCase()).map((detail) => invalid(path, name, detail)),
  );
  return bytes > MAX_ANNOTATION_BYTES ? [...causes, tooLong(path, MAX_ANNOTATION_BYTES)] : causes;
}

function ownerCauses(owners: readonly OwnerReference[], path: string): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  let controller = '';
  owners.forEach((owner, i) => {
    append(causes, oneOwnerCauses(owner, key(path, i)));
    if (owner.controller !== true) return;
    const name = `${owner.kind}/${owner.name}`;
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
    if (controller !== '') causes.push(invalidPrinted(path, shownStruct(owners), detail));
    else controller = name;
  });
  return causes;
}

function oneOwnerCauses(owner: OwnerReference, path: string): readonly StatusCause[] {
  const { apiVersion, kind } = owner;
  const causes: StatusCause[] = [];
  const parts = apiVersion.split('/');
  if (apiVersion === '') causes.push(required(child(path, 'apiVersion'), 'must not be empty'));
  else if (parts.length > 2 || parts.at(-1) === '') {
    causes.push(invalid(child(path, 'apiVersion'), apiVersion, 'must be <group>/<version> or <version>'));
  }
  for (const name of ['kind', 'name', 'uid'] as const) {
    if (owner[name] === '') causes.push(required(child(path, name), 'must not be empty'));
  }
  if ((apiVersion === 'v1' || apiVersion === '/v1') && kind === 'Event') {
    causes.push(invalidPrinted(path, shownStruct(owner), '/v1, Kind=Event is disallowed from being an owner'));
  }
  return causes;
}

function finalizerCauses(finalizers: readonly string[], path: string): readonly StatusCause[] {
  const causes = finalizers.flatMap((name) => qualifiedNameProblems(name).map((detail) => invalid(path, name, detail)));
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return causes;
  return [...causes, invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')];
}

function managedCauses(entry: Partial<ManagedFieldsEntry>, path: string): readonly StatusCause[] {
  const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
  const causes: StatusCause[] = [];
  if (operation === '') causes.push(required(child(path, 'operation'), 'must not be empty'));
  else if (operation !== 'Apply' && operation !== 'Update') {
    causes.push(notSupported(child(path, 'operation'), operation, ['Apply', 'Update']));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    causes.push(invalid(child(path, 'fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  append(causes, managerCauses(manager, child(path, 'manager')));
  if (Buffer.byteLength(subresource) > MAX_SUBRESOURCE) {
    causes.push(tooLong(child(path, 'subresource'), MAX_SUBRESOURCE));
  }
  return causes;
}

/** Reports only the first character that cannot be printed. Kubernetes reports each. */
function managerCauses(manager: string, path: string): readonly StatusCause[] {
  const causes = Buffer.byteLength(manager) > MAX_MANAGER ? [tooLong(path, MAX_MANAGER)] : [];
  const at = manager.search(UNPRINTABLE);
  if (at < 0) return causes;
  const code = manager.codePointAt(at) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const position = Buffer.byteLength(manager.slice(0, at));
  return [...causes, invalid(path, manager, `invalid character ${name} (at position ${position})`)];
}
