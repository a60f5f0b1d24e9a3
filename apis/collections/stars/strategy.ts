import { isSameJson } from '../../../pkg/json/same.js';
import type { KubeObject } from '../../../pkg/meta/types.js';
import type { StatusCause } from '../../../pkg/status/status.js';
import { groupName, type KindEnvironment } from '../../../registry/kinds/kind.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { resourceName } from '../../iam/names.js';
import { MOST_STARS, type StarredResource, type StarsSpec } from './schema.js';

type Stars = KubeObject<StarsSpec>;

/** The most causes in an answer. They are enough to repair a list. */
const MOST_CAUSES = 10;

/**
 * A user can star only what exists and what they may view. A star stays when its object is deleted, because the object may come back from the trash.
 * The next change of the stars removes it.
 */
export function starsStrategy({ domain }: KindEnvironment): Strategy<StarsSpec> {
  const dashboards = { group: groupName('dashboard', domain), kind: 'Dashboard' };
  const resource = resourceName('dashboards', domain);
  const isStarrable = ({ group, kind }: StarredResource): boolean =>
    group === dashboards.group && kind === dashboards.kind;

  const unknownNames = (starred: StarredResource, at: number, known: ReadonlySet<string>, ctx: WriteContext) =>
    starred.names.flatMap((name, index): readonly StatusCause[] => {
      if (known.has(name) || ctx.visible(resource, ctx.namespace, name) !== undefined) return [];
      const message = `Not found: there is no ${JSON.stringify(name)} in ${resource}`;
      return [{ reason: 'FieldValueNotFound', message, field: `spec.resource[${at}].names[${index}]` }];
    });

  return {
    prepareForCreate: merged,
    prepareForUpdate: (sent, old, { reader, namespace }) => {
      const stars = merged(sent);
      if (isSameJson(stars.spec, old.spec)) return stars;
      const before = new Set(namesIn(old));
      const isGone = (name: string): boolean =>
        before.has(name) && reader.entry(resource, namespace, name) === undefined;
      return keeping(stars, (name) => !isGone(name));
    },
    validate: ({ spec }, old, ctx) => {
      const known = new Set(old && namesIn(old));
      const causes = (spec?.resource ?? []).flatMap((starred, at) => {
        if (!isStarrable(starred)) return [notStarrable(at, dashboards)];
        return [...tooMany(starred, at), ...unknownNames(starred, at, known, ctx)];
      });
      return causes.slice(0, MOST_CAUSES);
    },
  };
}

function namesIn({ spec }: Stars): readonly string[] {
  return (spec?.resource ?? []).flatMap(({ names }) => names);
}

function notStarrable(at: number, { group, kind }: { readonly group: string; readonly kind: string }): StatusCause {
  const message = `Unsupported value: only the kind ${kind} of the group ${group} can be starred`;
  return { reason: 'FieldValueNotSupported', message, field: `spec.resource[${at}]` };
}

/** Several lists of one kind become one list, which may be too long. */
function tooMany({ names }: StarredResource, at: number): readonly StatusCause[] {
  if (names.length <= MOST_STARS) return [];
  const message = `Too many: must have at most ${MOST_STARS} items`;
  return [{ reason: 'FieldValueTooMany', message, field: `spec.resource[${at}].names` }];
}

/** Each kind has one list, in which each name occurs once. */
function merged(stars: Stars): Stars {
  const byKind = new Map<string, StarredResource>();
  for (const { group, kind, names } of stars.spec?.resource ?? []) {
    const key = `${group}/${kind}`;
    const all = new Set([...(byKind.get(key)?.names ?? []), ...names]);
    byKind.set(key, { group, kind, names: [...all] });
  }
  return keeping({ ...stars, spec: { resource: [...byKind.values()] } }, () => true);
}

/** The stars for which the condition holds. Empty lists are left out. */
function keeping(stars: Stars, isKept: (name: string) => boolean): Stars {
  const resource = (stars.spec?.resource ?? [])
    .map((starred) => ({ ...starred, names: starred.names.filter(isKept) }))
    .filter(({ names }) => names.length > 0);
  return { ...stars, spec: { resource } };
}
