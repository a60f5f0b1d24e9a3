import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import { compileJsonPath } from '../../../pkg/kube/structural/json-path.js';
import { addressGuard } from '../../../pkg/system/net/address-guard.js';
import { runSteps, type Steps } from '../../../pkg/system/yielding/steps.js';
import { runStepsYielding } from '../../../pkg/system/yielding/yielding.js';
import { Memo } from '../../../registry/client/memo.js';
import { byStability } from '../../../registry/discovery/resource.js';
import type { KindIdentity } from '../../../registry/kinds/definition/identity.js';
import type { KindVersions } from '../../../registry/kinds/definition/versions.js';
import { type Conversion, defineKind, type Kind, type KindDefinition } from '../../../registry/kinds/kind.js';
import type { KindSource } from '../../../registry/kinds/kind-set.js';
import { resourceDefinition } from '../../../registry/kinds/registry.js';
import type { ApisEnvironment } from '../../environment.js';
import { inFolders, withoutRoot } from '../../folder/placement.js';
import { searched } from '../../folder/titles.js';
import { DEFINITIONS, WORDS } from '../names.js';
import { type DefinitionObject, isEstablished, servedNames, shapeOf } from './conditions.js';
import { type DecodeOptions, optionsOf } from './options.js';
import { customPermissions } from './permissions.js';
import { servingOf } from './serving.js';
import { customStrategy } from './strategy.js';
import { textAt } from './text-at.js';
import { type Converter, RENAMING, type Version, versionOf } from './versions.js';
import { webhookCall } from './webhook/call.js';
import { WebhookConverter } from './webhook/converter.js';
import { reviewVersionOf } from './webhook/review.js';

/**
 * The kinds that definitions define. `fixed` are the kinds that are compiled in, and `others` are served without being
 * kinds, such as reviews: no definition can take their names.
 */
export function customKinds(
  environment: ApisEnvironment,
  fixed: readonly Kind[],
  others: readonly Pick<Kind, 'resource' | 'group'>[] = [],
): KindSource {
  const served = others.map(({ resource, group }) => `${resource}.${group}`);
  const usedNames = new Set([...fixed.map(({ qualified }) => qualified), ...served]);
  const converterOf = converters(environment);
  return {
    resource: DEFINITIONS,
    kindsOf: (object) => {
      const definition = object as DefinitionObject;
      if (usedNames.has(definition.metadata.name) || !isEstablished(definition)) return [];
      return kindsOf(definition, environment, converterOf);
    },
    plain: (resource) => plainDefinition(resource, environment),
  };
}

/** Why the kinds of a definition cannot be made. `undefined`: they can. */
export function problemWith(definition: DefinitionObject, environment: ApisEnvironment): string | undefined {
  try {
    kindsOf(definition, environment, () => RENAMING);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function kindsOf(
  definition: DefinitionObject,
  environment: ApisEnvironment,
  converterOf: ConverterOf,
): readonly Kind[] {
  const { group = '', versions = [] } = definition.spec;
  const all = (versions ?? []).map((version) => versionOf(version, group));
  all.sort((a, b) => byStability(a.name, b.name));
  const stored = all.find(({ definition }) => definition.storage === true);
  if (stored === undefined) return [];
  const others = all.filter((version) => version !== stored && version.definition.served === true);
  const converter = afterDefaults(converterOf(definition), definition, all);
  const common = commonOf(definition, environment);
  const kindOf = (version: Version, more: KindVersions): Kind =>
    defineKind(environment, {
      ...common,
      identity: { ...common.identity, version: version.name, schema: version.checked.schema },
      serving: { ...common.serving, ...servingOf(version, definition.spec, common.identity.kind) },
      versions: { ...common.versions, ...servedBy(version, converter), ...more },
      strategy: customStrategy({
        names: { ...common.identity, group },
        checked: version.checked,
        withoutRoot: (object) => (isPlaced(common) ? withoutRoot(object, environment.domain) : object),
        isTerminating: isTerminating(definition),
      }),
    });
  const conversion = (version: Version): Conversion => ({
    ...conversionOf(version, stored, converter),
    storageKind: definition.metadata.name,
  });
  return [
    kindOf(stored, completionOf(definition, stored, converter)),
    ...others.map((other) => kindOf(other, { conversion: conversion(other) })),
  ];
}

type ConverterOf = (definition: DefinitionObject) => Converter;

/** Bytes of JSON of converted objects that are remembered. */
const REMEMBERED_BYTES = 32 * 2 ** 20;

function converters({ webhookNetworks = [], conversionAge = 0 }: ApisEnvironment): ConverterOf {
  const guard = addressGuard(webhookNetworks, 'webhooks.networks');
  const memo = new Memo<KubeObject>(REMEMBERED_BYTES, conversionAge);
  return ({ spec: { conversion } }) => {
    if (conversion?.strategy !== 'Webhook') return RENAMING;
    const { webhook } = conversion;
    const version = reviewVersionOf(webhook?.conversionReviewVersions);
    if (version === undefined) return new WebhookConverter(() => Promise.reject(new Error(NO_REVIEW)), 'v1', memo);
    return new WebhookConverter(webhookCall(webhook?.clientConfig, guard), version, memo);
  };
}

const NO_REVIEW = 'this server speaks ConversionReview v1 and v1beta1, and conversionReviewVersions has neither';

function conversionOf(version: Version, stored: Version, converter: Converter): Omit<Conversion, 'storageKind'> {
  const { steps } = converter;
  return {
    steps: (object) => steps(version, object),
    restoreSteps: (object) => steps(stored, object),
    isVersion: true,
    convert: (object) => converter.convert(version, object),
    restore: (object) => converter.convert(stored, object),
    keepsFields: converter.convertAll === undefined,
  };
}

/**
 * Gives objects the defaults of their own version before it brings them to another one, as Kubernetes does. Objects
 * that the present definition stored have these defaults already.
 */
function afterDefaults(converter: Converter, { metadata }: DefinitionObject, versions: readonly Version[]): Converter {
  if ((metadata.generation ?? 1) === 1) return converter;
  const { convert, steps, convertAll } = converter;
  const schemas = new Map(versions.map(({ apiVersion, checked }) => [apiVersion, checked.schema]));
  function* whole(object: KubeObject): Steps<KubeObject> {
    const isOld = Number(object.metadata.resourceVersion) < Number(metadata.resourceVersion);
    const schema = isOld ? schemas.get(object.apiVersion) : undefined;
    return schema === undefined ? object : yield* schema.completeStoredSteps(object);
  }
  return {
    convert: (to, object) => convert(to, runSteps(whole(object))),
    *steps(to, object) {
      return yield* steps(to, yield* whole(object));
    },
    ...(convertAll && {
      async convertAll(to, objects) {
        const all: KubeObject[] = [];
        for (const object of objects) all.push(await runStepsYielding(whole(object)));
        return convertAll(to, all);
      },
    }),
  };
}

/**
 * Objects that were stored before the definition got its present content may lack defaults, or have another version. A
 * definition that was never changed has no such objects.
 */
function completionOf(
  { metadata }: DefinitionObject,
  stored: Version,
  { convert, steps }: Converter,
): Pick<KindVersions, 'completion'> {
  if ((metadata.generation ?? 1) === 1) return {};
  const { schema } = stored.checked;
  const complete = (object: KubeObject): KubeObject => schema.completeStored(convert(stored, object));
  function* completeSteps(object: KubeObject): Steps<KubeObject> {
    return yield* schema.completeStoredSteps(yield* steps(stored, object));
  }
  return { completion: { before: Number(metadata.resourceVersion), complete, steps: completeSteps } };
}

function servedBy(version: Version, { convertAll }: Converter): Pick<KindVersions, 'serve'> {
  return convertAll === undefined ? {} : { serve: (objects) => convertAll(version, objects) };
}

interface Common extends Omit<KindDefinition, 'identity' | 'strategy'> {
  readonly identity: Omit<KindIdentity<unknown>, 'version'>;
}

function isPlaced({ storage }: Common): boolean {
  return storage?.containment !== undefined;
}

function commonOf(definition: DefinitionObject, environment: ApisEnvironment): Common {
  const { group = '', scope } = definition.spec;
  const { plural = '', singular = '', kind = '', listKind, shortNames, categories } = servedNames(definition);
  const options = optionsOf(definition.metadata.labels, environment.domain);
  return {
    identity: {
      group,
      kind,
      ...(listKind !== undefined && { listKind }),
      resource: plural,
      singular,
      ...(shortNames != null && shortNames.length > 0 && { shortNames }),
      ...(categories != null && categories.length > 0 && { categories }),
      scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
      description: `${kind} is defined by ${definition.metadata.name}.`,
    },
    ...optional(options, environment),
    access: { permissions: customPermissions(definition.metadata.name) },
    versions: { definedBy: definition.metadata.name, shape: shapeOf(definition, environment.domain) },
  };
}

/** What the labels of the definition ask for. */
function optional(options: DecodeOptions, { domain }: ApisEnvironment): Pick<Common, 'storage' | 'serving'> {
  const { inFolders: isInFolders, history, trash, search } = options;
  const path = search === undefined ? undefined : compileJsonPath(search);
  const title = (object: KubeObject): string => (path === undefined ? '' : textAt(path, object));
  return {
    storage: {
      ...(isInFolders && { containment: inFolders(domain), ownKeys: [WORDS.containment, 'folder'] }),
      ...(history && { history }),
      ...(trash && { trash }),
    },
    ...(path && {
      serving: {
        searchText: (object) => searched(title(object)),
        summary: (object) => ({ title: title(object) }),
      },
    }),
  };
}

/** The definition for objects whose own definition is not there. It knows their names, folders and permissions. */
function plainDefinition(resource: string, environment: ApisEnvironment) {
  const [plural = '', ...group] = resource.split('.');
  const kind = defineKind(environment, {
    identity: {
      group: group.join('.'),
      version: 'v1',
      kind: plural,
      resource: plural,
      singular: plural,
      scope: 'Namespaced',
      description: '',
    },
    storage: { containment: inFolders(environment.domain) },
    access: { permissions: customPermissions(resource) },
    versions: { definedBy: resource },
  });
  return resourceDefinition(kind);
}
