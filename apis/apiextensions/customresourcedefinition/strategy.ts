import { isSameJson } from '../../../pkg/kube/json/same.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { forbidden } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { addressGuard } from '../../../pkg/system/net/address-guard.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import type { ApisEnvironment } from '../../environment.js';
import type { DefinitionObject } from '../customresource/conditions.js';
import { problemWith } from '../customresource/kinds.js';
import { changedOptionCauses, optionCauses } from '../customresource/options.js';
import { isReservedGroup } from '../names.js';
import { builtInSpec, nameOfBuiltIn } from './built-in.js';
import { withDefaults } from './defaults.js';
import { deferredWork } from './deferred-work.js';
import type { CustomResourceDefinitionSpec } from './schema.js';
import { statusOf, withEnding } from './status.js';
import { definitionCauses } from './validate.js';
import { definitionWarnings } from './warnings.js';
import { webhookWarnings } from './webhook-warnings.js';

/** The kinds that are compiled in. They are known only after all kinds are defined. */
export type BuiltIn = () => readonly Kind[];

/**
 * A definition takes effect in its commit: its conditions are decided there, and the kinds of the next state follow
 * from them.
 */
export function definitionStrategy(
  environment: ApisEnvironment,
  builtIn: BuiltIn,
): Strategy<CustomResourceDefinitionSpec> {
  const { domain, webhookNetworks = [] } = environment;
  const guard = addressGuard(webhookNetworks, 'webhooks.networks');
  const kindOf = (name: string): Kind | undefined => builtIn().find((kind) => nameOfBuiltIn(kind) === name);
  const work = deferredWork();
  const decided = (object: KubeObject, old: DefinitionObject | undefined, ctx: WriteContext): DefinitionObject => {
    const { spec, metadata } = object as DefinitionObject;
    const complete = { ...object, spec: withDefaults(spec), ...(old && { status: old.status }) } as DefinitionObject;
    const generation = old === undefined ? 1 : nextGeneration(complete, old);
    const deciding = { ...ctx, generation, builtIn: builtIn(), own: metadata.name, deferredWork: work };
    return { ...complete, status: statusOf(complete, deciding) };
  };
  return {
    prepareForCreate: (object, _ctx) => decided(object, undefined, _ctx) as typeof object,
    prepareForUpdate: (object, old, ctx) => decided(object, old as DefinitionObject, ctx) as typeof object,
    validate: (object, old, ctx) => {
      const kind = kindOf(object.metadata.name);
      if (kind !== undefined) return builtInCauses(kind, object);
      if (builtIn().some(({ resource, group }) => `${resource}.${group}` === object.metadata.name)) return [TAKEN];
      const causes = [
        ...definitionCauses(object as DefinitionObject, old as DefinitionObject | undefined, work),
        ...groupCauses(object.spec?.group, domain),
        ...optionCauses(object.metadata.labels, domain, object.spec?.scope),
        ...(old === undefined || !hasObjects(old, ctx)
          ? []
          : changedOptionCauses(object.metadata.labels, old.metadata.labels, domain)),
      ];
      return causes.length > 0 ? causes : unservedCauses(object as DefinitionObject, environment);
    },
    warnings: ({ spec }) => (spec === undefined ? [] : webhookWarnings(spec, guard)),
    *consequences(object, old) {
      yield;
      return object?.spec === undefined ? [] : definitionWarnings(object.spec, old?.spec);
    },
    prepareForTermination: (object, now) =>
      withEnding(object as DefinitionObject, { state: 'pending' }, now) as typeof object,
    validateDelete: ({ metadata }) => {
      if (kindOf(metadata.name) === undefined) return;
      throw forbidden(
        { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
        metadata.name,
        ONLY_SHOWN,
      );
    },
  };
}

/** A definition whose kinds cannot be made must not be stored, because every request asks for the kinds. */
function unservedCauses(definition: DefinitionObject, environment: ApisEnvironment): readonly StatusCause[] {
  const problem = problemWith(definition, environment);
  if (problem === undefined) return [];
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: cannot be served: ${problem}`, field: 'spec' }];
}

function groupCauses(group = '', domain: string): readonly StatusCause[] {
  if (!isReservedGroup(group, domain)) return [];
  const message = `Forbidden: groups that end with ${domain} are those of this server`;
  return [{ reason: 'FieldValueForbidden', message, field: 'spec.group' }];
}

const ONLY_SHOWN = 'the kind is built in, and its definition is only shown';

/**
 * Refuses a name of a compiled kind that has no definition, because it is one of Kubernetes, or because no client sees
 * it.
 */
const TAKEN: StatusCause = {
  reason: 'FieldValueForbidden',
  message: 'Forbidden: a kind with this name is built in',
  field: 'metadata.name',
};

/** Only the server writes the specs that show compiled kinds. */
function builtInCauses(kind: Kind, { spec }: KubeObject): readonly StatusCause[] {
  if (isSameJson(spec, withDefaults(builtInSpec(kind)))) return [];
  return [{ reason: 'FieldValueForbidden', message: `Forbidden: ${ONLY_SHOWN}`, field: 'spec' }];
}

function nextGeneration(next: DefinitionObject, old: DefinitionObject): number {
  const generation = old.metadata.generation ?? 1;
  return isSameJson(next.spec, old.spec) ? generation : generation + 1;
}

function hasObjects({ metadata }: KubeObject, { reader }: WriteContext): boolean {
  return reader.size(metadata.name) > 0;
}
