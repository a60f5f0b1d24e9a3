import { type SignOnProvider, signOnType } from '../../../pkg/identity/signon/keys.js';
import { providerGuard, reachOf } from '../../../pkg/identity/signon/reach.js';
import { fileProblems, type Problem, problemsOf, secretProblems } from '../../../pkg/identity/signon/rules.js';
import { hasKey, isSecretKey, type SignOnKey } from '../../../pkg/identity/signon/values.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { invalid } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { groupName } from '../../../registry/kinds/kind.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import type { ApisEnvironment } from '../../environment.js';
import { effectiveValues, systemValues } from './effective.js';
import { withoutAppliedSecrets } from './last-applied.js';
import { obstaclesOf } from './obstacles.js';
import { reservedChanges } from './reserved.js';
import { MASKED, type SSOSettingSpec } from './schema.js';
import { sealedWrites } from './sealing.js';
import { type EnteredValues, LOST_SECRET, lostSecrets, maskedSettings, newSecrets, storedSecrets } from './secrets.js';

type Setting = KubeObject<SSOSettingSpec>;

/**
 * The annotation that changes with the secrets, because the masked values do not. Without it a watcher would not see
 * that a secret changed.
 */
export const SECRETS_VERSION = 'secretsVersion';

/** The pattern of names has checked that there is such a type. */
const typeOf = ({ metadata }: Setting) => signOnType(metadata.name) as SignOnProvider;
const enteredValues = (object: Setting | undefined): EnteredValues => object?.spec?.settings ?? {};

export function ssoSettingStrategy(environment: ApisEnvironment): Strategy<SSOSettingSpec> {
  const problems = (object: Setting, old: Setting | undefined, ctx: WriteContext): readonly StatusCause[] => [
    ...foreignKeys(object),
    ...customSecrets(object),
    ...invalidValues(object, environment),
    ...reserved(object.metadata.name, enteredValues(object), enteredValues(old), ctx, environment),
  ];
  return {
    prepareForCreate: (object, ctx) => hideSecrets(object, undefined, ctx, environment),
    prepareForUpdate: (object, old, ctx) => hideSecrets(object, old, ctx, environment),
    validate: (object, old, ctx) => {
      for (const warning of warnings(object, environment)) ctx.warn?.(warning);
      return problems(object, old, ctx);
    },
    validateDelete: (object, ctx) => {
      const { name } = object.metadata;
      refuse(name, reserved(name, {}, enteredValues(object), ctx, environment), environment);
    },
    alsoWrite: (object, sent, _old, { reader }) => sealedWrites(object, sent, reader, environment),
  };
}

/** The object as it is stored: its secrets are masked, and a version counts their changes. */
function hideSecrets(
  sent: Setting,
  old: Setting | undefined,
  ctx: WriteContext,
  environment: ApisEnvironment,
): Setting {
  refuseFiles(sent, environment);
  const lost = lostSecrets(enteredValues(sent), old && enteredValues(old));
  refuse(
    sent.metadata.name,
    lost.map(({ key, at }) => cause({ key, at, message: LOST_SECRET }, 'FieldValueRequired')),
    environment,
  );
  const { domain, signOn } = environment;
  const key = `${domain}/${SECRETS_VERSION}`;
  const stored = storedSecrets(ctx.reader, domain, signOn);
  const changed = [...newSecrets(enteredValues(sent))].some(
    ([name, value]) => stored.open(sent.metadata.name, name) !== value,
  );
  const before = Number(old?.metadata.annotations?.[key] ?? 0);
  const { [key]: _, ...annotations } = withoutAppliedSecrets(sent.metadata.annotations ?? {});
  const version = before + (changed ? 1 : 0);
  return {
    ...sent,
    metadata: { ...sent.metadata, annotations: { ...annotations, ...(version > 0 && { [key]: String(version) }) } },
    spec: { ...sent.spec, settings: maskedSettings(enteredValues(sent), old && enteredValues(old)) },
  };
}

/** Refuses values that would name files of the server, and wrong secrets, which are masked afterwards. */
function refuseFiles(sent: Setting, environment: ApisEnvironment): void {
  const { name } = sent.metadata;
  const isKept = (value: unknown): boolean => value === MASKED;
  const files = fileProblems(enteredValues(sent), systemValues(name, environment.signOn), isKept);
  const secrets = secretProblems(enteredValues(sent), isKept);
  refuse(
    name,
    [
      ...files.map((problem) => cause(problem, 'FieldValueForbidden')),
      ...secrets.map((problem) => cause(problem, 'FieldValueInvalid')),
    ],
    environment,
  );
}

/** Throws Invalid, if there are causes. */
function refuse(name: string, causes: readonly StatusCause[], { domain }: ApisEnvironment): void {
  if (causes.length > 0) throw invalid({ group: groupName('iam', domain), kind: 'SSOSetting' }, name, causes);
}

function foreignKeys(object: Setting): readonly StatusCause[] {
  const type = typeOf(object);
  return Object.keys(enteredValues(object))
    .filter((key) => !hasKey(type, key))
    .map((key) => cause({ key: key as SignOnKey, message: `${type} has no setting ${key}.` }, 'FieldValueForbidden'));
}

/** A custom value is stored as it is and shown, so it must be no secret. */
function customSecrets({ spec }: Setting): readonly StatusCause[] {
  return Object.keys(spec?.custom ?? {})
    .filter(isSecretKey)
    .map((key) => ({
      reason: 'FieldValueForbidden',
      message: `${key.slice(0, 100)} is not a setting of this server, and looks like a secret, which would be shown.`,
      field: `spec.custom.${key.slice(0, 100)}`,
    }));
}

function warnings(object: Setting, { signOn }: ApisEnvironment): readonly string[] {
  const system = systemValues(object.metadata.name, signOn);
  const values = effectiveValues(enteredValues(object), system);
  const reach = reachOf(values, system, providerGuard(signOn.networks ?? []));
  const obstacles = obstaclesOf(typeOf(object), values, reach, signOn);
  return obstacles.map((why) => `${why}. Nobody can sign in by the provider until then`);
}

function invalidValues(object: Setting, { signOn }: ApisEnvironment): readonly StatusCause[] {
  const { name } = object.metadata;
  const problems = problemsOf(typeOf(object), enteredValues(object), systemValues(name, signOn), MASKED);
  return problems.map((problem) => cause(problem, 'FieldValueInvalid'));
}

/** What the caller may not change. A deletion changes the settings to those of the server. */
function reserved(
  name: string,
  now: EnteredValues,
  before: EnteredValues,
  ctx: WriteContext,
  { signOn }: ApisEnvironment,
) {
  return ctx.grants() === undefined ? [] : reservedChanges(now, before, systemValues(name, signOn));
}

function cause({ key, at = '', message }: Problem, reason: string): StatusCause {
  const text = at === '' ? message : `${at.slice(1)}: ${message}`;
  return { reason, message: text, field: `spec.settings.${key}${at}` };
}
