import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { defineKind, groupName, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';

export const NoteSpec = z
  .strictObject({
    text: z.string().describe('Text.'),
    time: z.int().min(0).describe('Milliseconds since the epoch.'),
    tags: z.array(z.string().min(1)).optional().describe('Tags.'),
    folder: z.string().min(1).optional().describe('The folder that contains it.'),
    belongsTo: z
      .strictObject({ name: z.string().min(1), uid: z.string().min(1) })
      .optional()
      .describe('The folder without which it is gone.'),
    isBrief: z.boolean().optional().describe('It is kept for an hour.'),
    author: z.string().min(1).optional().describe('The user who wrote it.'),
  })
  .meta({ id: 'NoteSpec' });
export type NoteSpec = z.infer<typeof NoteSpec>;

export const HOUR = 3_600_000;

/** An index by namespace and time. */
export const BY_TIME = 'byTime';
/** An index by namespace, tag and time. */
export const BY_TAG = 'byTag';

/** A kind for tests, whose objects depend on other objects and expire. */
export function note(environment: KindEnvironment): Kind<NoteSpec> {
  return defineKind<NoteSpec>(environment, {
    identity: {
      group: 'note',
      version: 'v1',
      kind: 'Note',
      resource: 'notes',
      singular: 'note',
      scope: 'Namespaced',
      description: 'Note is a text at a time.',
      spec: NoteSpec,
    },
    storage: {
      internalId: true,
      indexers: {
        [BY_TIME]: (object) => [[object.metadata.namespace ?? '', specOf(object).time]],
        [BY_TAG]: (object) => {
          const { time, tags = [] } = specOf(object);
          return [...new Set(tags)].map((tag) => [object.metadata.namespace ?? '', tag, time]);
        },
      },
      dependsOn: {
        resource: `folders.${groupName('folder', environment.domain)}`,
        owner: (object) => specOf(object).belongsTo,
      },
      expiry: {
        since: (object) => (specOf(object).isBrief === true ? specOf(object).time : undefined),
        lasts: HOUR,
      },
      containment: {
        resource: `folders.${groupName('folder', environment.domain)}`,
        container: (object) => specOf(object).folder,
        field: 'spec.folder',
        root: 'general',
      },
      references: (object) => {
        const { author } = specOf(object);
        if (author === undefined) return [];
        const resource = `users.${groupName('iam', environment.domain)}`;
        return [{ resource, namespace: '', name: author, field: 'spec.author' }];
      },
    },
    access: {
      permissions: {
        get: ['notes:read'],
        create: ['notes:create'],
        update: ['notes:write'],
        delete: ['notes:delete'],
        scopes: ({ metadata }) => [`notes:uid:${metadata.name}`],
      },
    },
    serving: {
      columns: [{ name: 'Text', type: 'string', description: 'Text', priority: 0, cell: (one) => specOf(one).text }],
      selectableFields: { 'spec.time': (object) => String(specOf(object).time) },
    },
  });
}

/** The spec, or an empty one if the object does not exist. */
function specOf({ spec }: KubeObject): NoteSpec {
  return (spec ?? { text: '', time: 0 }) as NoteSpec;
}
