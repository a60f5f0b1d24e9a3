import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { line, objectName } from '../../../registry/kinds/fields.js';

/** The most starred objects of one kind: every star writes the whole list. */
export const MOST_STARS = 1000;
const MOST_KINDS = 20;

const StarredResource = z
  .strictObject({
    group: line(253).describe('Group of the objects, such as dashboard.svc.app.'),
    kind: line(63).describe('Kind of the objects, such as Dashboard.'),
    names: arrayOf(objectName(), MOST_STARS).meta({ description: 'metadata.name of each starred object.' }),
  })
  .meta({ id: 'StarredResource', description: 'The starred objects of one kind.' });
export type StarredResource = z.infer<typeof StarredResource>;

export const StarsSpec = z
  .strictObject({
    resource: arrayOf(StarredResource, MOST_KINDS)
      .default([])
      .meta({ description: 'The starred objects by kind.', default: [] }),
  })
  .meta({ id: 'StarsSpec', description: 'What a user has starred.' });
export type StarsSpec = z.infer<typeof StarsSpec>;

/** The prefix of the names of Stars. The rest is the name of the user. */
export const USER_STARS = 'user-';

export function starsOwner(name: string): string {
  return name.slice(USER_STARS.length);
}

export function namesIn({ spec }: KubeObject<StarsSpec>): readonly string[] {
  return (spec?.resource ?? []).flatMap(({ names }) => names);
}

/**
 * The starred names, and the integer id of the object that each of them meant when it was starred. `undefined` for
 * stars that were stored before the server noted it. `key` is the annotation.
 */
export function chosenIds(stars: KubeObject<StarsSpec>, key: string): ReadonlyMap<string, string | undefined> {
  const ids = stars.metadata.annotations?.[key]?.split(',');
  return new Map(namesIn(stars).map((name, at) => [name, ids && (ids[at] ?? '')]));
}
