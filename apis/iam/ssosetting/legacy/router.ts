import { type SignOnProvider, signOnType } from '../../../../pkg/identity/signon/keys.js';
import { isTerminating, type KubeObject } from '../../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../../pkg/kube/status/status.js';
import { resourceName } from '../../../../registry/kinds/names.js';
import { saysNothing } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { type ErrorRule, LegacyError, requireAction, structured } from '../../../../registry/legacy/errors.js';
import { deleted, NO_CONTENT, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import type { ApisEnvironment } from '../../../environment.js';
import type { SyncRecordSpec } from '../../../internal/syncrecord/schema.js';
import type { IamServices } from '../../legacy/services.js';
import { enteredSettings } from '../entered.js';
import { obstaclesOf } from '../obstacles.js';
import { type ProviderSettings, signOnProviders } from '../providers.js';
import type { SSOSettingSpec } from '../schema.js';
import { CONNECTION, PROVIDER, PROVIDERS } from './answers.js';
import { SettingsBody, settingsOf, TestBody } from './body.js';
import { connectionOf } from './connection.js';
import { entryOf, fnv64 } from './dto.js';
import { ldapRoutes, testedPerson } from './ldap.js';
import { PROVIDER_NOTES } from './notes.js';

const KIND = 'iam/SSOSetting';
const NOT_FOUND = structured(404, 'sso.notFound', 'The provider was not found.');
const ERRORS: readonly ErrorRule[] = [{ code: 404, status: 404, body: NOT_FOUND }];

/** `/api/v1/sso-settings`, and `/api/admin/ldap`. */
export function ssoSettingRouter(services: IamServices): LegacyRouter {
  const providers = signOnProviders(services.registry.reader, services.environment);
  const answerOf = answers(services);
  const list: LegacyHandler = (call) => {
    const objects = call.objects(KIND);
    requireAction(objects, 'settings:read');
    const shown = providers.all().filter(({ provider }) => objects.may('settings:read', named(call, provider)));
    return ok(shown.map(answerOf));
  };
  const get: LegacyHandler = (call) => {
    const entry = answerOf(authorized(call, 'settings:read', providers.get(call.param('provider'))));
    const etag = fnv64(JSON.stringify(entry));
    return isKnown(call, etag) ? { status: 304, headers: { etag } } : ok(entry, { etag });
  };
  const put: LegacyHandler = async (call) => {
    const name = call.param('provider');
    requireAction(call.objects(KIND), 'settings:write', named(call, name));
    const spec = settingsOf(call, typeOf(name));
    await call
      .transact((transaction) => transaction.objects<SSOSettingSpec>(KIND).put(name, () => spec))
      .catch(refused);
    return NO_CONTENT;
  };
  const remove: LegacyHandler = async (call) => {
    authorized(call, 'settings:write', providers.get(call.param('provider')));
    const object = await call.objects(KIND).delete(call.param('provider')).catch(refused);
    return isTerminating(object) ? deleted(object, '') : NO_CONTENT;
  };
  const test: LegacyHandler = async (call) => {
    const settings = authorized(call, 'settings:write', providers.get(call.param('provider')));
    const { settings: values, login } = saysNothing(call.request) ? {} : call.body(TestBody);
    const tested = values === undefined ? settings : typed(call, settings, services.environment);
    const { signOn } = services.environment;
    const checks = await connectionOf(tested, signOn, call.request.signal, services.registry.clock.now());
    return ok({ checks, ...(login && { person: await testedPerson(call, tested, login) }) });
  };
  return legacyRouter(
    services,
    ldapRoutes(services, providers),
    routes(
      { notes: PROVIDER_NOTES, errors: ERRORS },
      {
        'GET /v1/sso-settings': { answer: PROVIDERS, summary: 'Lists the settings of sign-on providers', handle: list },
        'GET /v1/sso-settings/:provider': {
          single: true,
          answer: PROVIDER,
          summary: 'Reads the settings of a sign-on provider',
          handle: get,
        },
        'PUT /v1/sso-settings/:provider': {
          answer: 'none',
          summary: 'Replaces the settings of a sign-on provider',
          body: SettingsBody,
          handle: put,
        },
        'DELETE /v1/sso-settings/:provider': {
          answer: 'none',
          summary: 'Resets the settings of a sign-on provider',
          handle: remove,
        },
        'POST /v1/sso-settings/:provider/test': {
          answer: CONNECTION,
          summary:
            'Tests whether the addresses of a sign-on provider answer, with the settings of the body if it has any, and what a directory says about a login',
          body: TestBody,
          handle: test,
        },
      },
    ),
  );
}

function answers({ registry: { reader }, environment }: IamServices) {
  const syncs = resourceName('internal/syncrecords', environment.domain);
  return (settings: ProviderSettings) => {
    const { provider, type, values, reach } = settings;
    const lastSync = reader.get<SyncRecordSpec>(syncs, '', provider)?.spec;
    return entryOf(settings, lastSync, obstaclesOf(type, values, reach, environment.signOn));
  };
}

/** The settings that are to be tested before they are stored. Throws 400 for those that could not be stored. */
function typed(call: LegacyCall, settings: ProviderSettings, environment: ApisEnvironment): ProviderSettings {
  const entered = enteredSettings(settings, settingsOf(call, settings.type).settings, environment);
  if (!('message' in entered)) return entered;
  const { key, at = '', message } = entered;
  throw new LegacyError(400, structured(400, 'sso.invalidOauthConfig', `${key}${at}: ${message}`));
}

/** A provider that need not be stored, for checks of permissions. */
function named(call: LegacyCall, name: string): KubeObject {
  const { apiVersion, kind } = call.kind(KIND);
  return { apiVersion, kind, metadata: { name } };
}

/** Throws 403 before 404. */
function authorized(call: LegacyCall, action: string, settings: ProviderSettings | undefined): ProviderSettings {
  requireAction(call.objects(KIND), action, named(call, call.param('provider')));
  if (settings === undefined) throw new LegacyError(404, NOT_FOUND);
  return settings;
}

function typeOf(name: string): SignOnProvider {
  const type = signOnType(name);
  if (type === undefined) throw new LegacyError(400, structured(400, 'sso.invalidProvider', 'Provider is invalid'));
  return type;
}

function isKnown({ request }: LegacyCall, etag: string): boolean {
  const known = (request.headers['if-none-match'] ?? '').split(',').map((part) => part.trim().replace(/^W\//, ''));
  return known.some((tag) => tag === '*' || tag === etag || tag === `"${etag}"`);
}

/** Says what the kind refused, in the words that callers expect. */
function refused(error: unknown): never {
  if (!(error instanceof ApiError) || error.reason !== 'Invalid') throw error;
  const { message = error.message, field = '' } = error.details?.causes?.[0] ?? {};
  const key = /[A-Za-z0-9_]+$/.exec(field)?.[0] ?? 'settings';
  const detail = message.startsWith(PREFIX) ? `${key} is invalid: ${message.slice(PREFIX.length)}.` : message;
  throw new LegacyError(400, structured(400, 'sso.invalidOauthConfig', detail), error);
}

/** The messages of schemas begin with it. Those of rules are whole sentences. */
const PREFIX = 'Invalid value: ';
