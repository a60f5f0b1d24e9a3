import { isSameJson } from '../../../pkg/kube/json/same.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { groupName, type KindEnvironment } from '../../../registry/kinds/kind.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { withAnnotation } from '../../../registry/kinds/with-annotation.js';
import { dashboardNumbers } from '../../dashboard-numbers.js';
import { chosenIds, MOST_STARS, namesIn, type StarredResource, type StarsSpec } from './schema.js';

type Stars = KubeObject<StarsSpec>;

/** The most causes in an answer. They are enough to repair a list. */
const MOST_CAUSES = 10;

/**
 * A user can star only what exists and what they may view. A star stays when its object is deleted, because the object
 * may come back from the trash. The next change of the stars removes it. A later dashboard of the same name has the
 * star only after a write by somebody who may view it.
 */
export function starsStrategy({ domain }: KindEnvironment): Strategy<StarsSpec> {
  const dashboards = { group: groupName('dashboard', domain), kind: 'Dashboard' };
  const { resource, key, idOf } = dashboardNumbers(domain);
  const isStarrable = ({ group, kind }: StarredResource): boolean =>
    group === dashboards.group && kind === dashboards.kind;

  const unknownNames = (starred: StarredResource, at: number, known: ReadonlySet<string>, ctx: WriteContext) =>
    starred.names.flatMap((name, index): readonly StatusCause[] => {
      if (known.has(name) || ctx.visible(resource, ctx.namespace, name) !== undefined) return [];
      const message = `Not found: there is no ${JSON.stringify(name)} in ${resource}`;
      return [{ reason: 'FieldValueNotFound', message, field: `spec.resource[${at}].names[${index}]` }];
    });

  /** The id of the dashboard that is meant by each name. */
  const withNotedIds = (stars: Stars, before: ReadonlyMap<string, string | undefined>, ctx: WriteContext): Stars => {
    const { reader, namespace, visible } = ctx;
    const ids = namesIn(stars).map((name) => {
      const [now, then] = [idOf(reader, namespace, name), before.get(name)];
      if (now === undefined || now === then) return then ?? '';
      const isUnknown = before.has(name) && then === undefined;
      return isUnknown || visible(resource, namespace, name) !== undefined ? now : (then ?? '');
    });
    return withAnnotation(stars, key, ids.length === 0 ? undefined : ids.join());
  };

  return {
    prepareForCreate: (stars, ctx) => withNotedIds(merged(stars), new Map(), ctx),
    prepareForUpdate: (sent, old, ctx) => {
      const { reader, namespace } = ctx;
      const stars = merged(sent);
      const before = chosenIds(old, key);
      if (isSameJson(stars.spec, old.spec)) return withNotedIds(stars, before, ctx);
      const isGone = (name: string): boolean => before.has(name) && idOf(reader, namespace, name) === undefined;
      return withNotedIds(
        keeping(stars, (name) => !isGone(name)),
        before,
        ctx,
      );
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
