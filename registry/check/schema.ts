import type { z } from 'zod';
import { fieldPath } from '../../pkg/kube/json/scan.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Members } from '../../pkg/system/object/is-object.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';
import type { Kind } from '../kinds/kind.js';
import type { ObjectSchema } from '../kinds/object-schema.js';

/** Says where the stored object does not fit the schemas of its kind. */
export function fieldProblems(kind: Kind, object: KubeObject): readonly string[] {
  if (kind.schema !== undefined) return problemsBySchema(kind.schema, object);
  const { spec, status, ...rest } = object as KubeObject & { readonly status?: unknown };
  const problems = kind.spec === undefined ? [] : problemsOf(kind.spec, spec, 'spec');
  const ofStatus = kind.status === undefined || status === undefined ? [] : problemsOf(kind.status, status, 'status');
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...members } = rest;
  const ofMembers = kind.members === undefined ? [] : problemsOf(kind.members, members);
  return [...problems, ...ofStatus, ...ofMembers];
}

/** A definition may have lost fields since an object was stored. They are no problem. */
function problemsBySchema(schema: ObjectSchema, object: KubeObject): readonly string[] {
  const { causes } = runSteps(schema.decode(object as unknown as Members));
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

function problemsOf(schema: z.ZodType, value: unknown, part?: string): readonly string[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => {
    return `${fieldPath([...(part === undefined ? [] : [part]), ...path])}: ${message}`;
  });
}
