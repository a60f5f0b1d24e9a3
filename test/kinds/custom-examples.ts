import { z } from 'zod';
import { customKinds } from '../../apis/apiextensions/customresource/kinds.js';
import type { KindExamples } from '../../apis/testing/kind-examples.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { DEFINITIONS, definitionOf } from '../custom/definition.js';
import { ENVIRONMENT } from '../harness/server.js';

/** The schema of the spec in `definition.ts`, in zod, from which the suite draws values. */
const Spec = z.strictObject({
  title: z.string().min(1).max(100),
  note: z.string().optional(),
  color: z.enum(['red', 'green', 'blue']).optional(),
  size: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
  most: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
  tags: z.array(z.string().min(1)).max(5).optional(),
  more: z.record(z.string(), z.unknown()).optional(),
});
const Status = z.strictObject({ phase: z.enum(['Ready', 'Broken']) });

/** The kind for the suite. The server makes its own kind from the definition. */
export function customKind(): Kind {
  const status = { conditions: [{ type: 'Established', status: 'True' }], acceptedNames: ACCEPTED };
  const [kind] = customKinds(ENVIRONMENT, []).kindsOf({ ...definitionOf(), status } as never);
  if (kind === undefined) throw new Error('the definition defines no kind');
  return { ...kind, spec: Spec, status: Status };
}

const ACCEPTED = { plural: 'reports', singular: 'report', kind: 'Report', listKind: 'ReportList' };

const FOLDER = 'folder.svc.app/v1beta1';
const BOOKS = {
  path: `/apis/${FOLDER}/namespaces/default/folders`,
  body: { apiVersion: FOLDER, kind: 'Folder', metadata: { name: 'books' }, spec: { title: 'Books' } },
};

export const custom: KindExamples = {
  minimal: { spec: { title: 'Revenue' } },
  full: {
    metadata: { labels: { team: 'ops' }, annotations: { 'example.com/note': 'kept', 'svc.app/folder': 'books' } },
    spec: {
      title: 'Revenue',
      note: 'By month.',
      color: 'red',
      size: 3,
      most: 4,
      tags: ['money', 'month'],
      more: { any: ['thing', null] },
    },
  },
  changed: { spec: { title: 'Costs', size: 2 } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an empty title', body: { spec: { title: '' } }, field: 'spec.title' },
    { why: 'a title of another type', body: { spec: { title: 7 } }, field: 'spec.title' },
    { why: 'an unknown color', body: { spec: { title: 'x', color: 'pink' } }, field: 'spec.color' },
    { why: 'an empty tag', body: { spec: { title: 'x', tags: [''] } }, field: 'spec.tags[0]' },
    { why: 'what breaks a rule', body: { spec: { title: 'x', size: 2, most: 1 } }, field: 'spec' },
  ],
  needs: [{ path: DEFINITIONS, body: definitionOf() }, BOOKS],
  freeText: ['/spec/note'],
  freeJson: ['/spec/more'],
  status: {
    minimal: { phase: 'Ready' },
    changed: { phase: 'Broken', observedGeneration: 1 },
    invalid: [
      { why: 'an unknown phase', status: { phase: 'Odd' }, field: 'status.phase' },
      { why: 'no phase', status: { observedGeneration: 1 }, field: 'status.phase' },
    ],
  },
};
