import { SIGN_ON_NAME, SIGN_ON_PROVIDERS } from '../../../pkg/identity/signon/keys.js';
import { column } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import type { ReportedEvent, ReportedWrite } from '../../../registry/kinds/reports.js';
import type { ApisEnvironment } from '../../environment.js';
import { SSOSettingSpec } from './schema.js';
import { SECRETS_VERSION, ssoSettingStrategy } from './strategy.js';

/** The stored settings of a sign-on provider. The object has the name of the provider. */
export function ssoSetting(environment: ApisEnvironment): Kind<SSOSettingSpec> {
  const version = `${environment.domain}/${SECRETS_VERSION}`;
  return defineKind<SSOSettingSpec>(environment, {
    identity: {
      group: 'iam',
      version: 'v1beta1',
      kind: 'SSOSetting',
      resource: 'ssosettings',
      singular: 'ssosetting',
      shortNames: ['sso'],
      scope: 'Cluster',
      description:
        'SSOSetting says how people sign in through a provider. Its name is the provider, or the provider with a suffix (okta-west) if there are several. Secrets are stored encrypted and shown as *********.',
      spec: SSOSettingSpec,
      names: {
        maxLength: 40,
        pattern: SIGN_ON_NAME,
        patternMessage: `must be a provider (${SIGN_ON_PROVIDERS.join(', ')}), or one with a suffix such as okta-west`,
      },
    },
    storage: {
      ownKeys: [SECRETS_VERSION],
      generationCounts: ({ metadata }) => [metadata.annotations?.[version]],
    },
    access: {
      permissions: {
        get: ['settings:read'],
        create: ['settings:write'],
        update: ['settings:write'],
        delete: ['settings:write'],
        scopes: ({ metadata }) => [settingsScope(metadata.name)],
      },
      reports: { written: change },
    },
    serving: {
      columns: [
        column<SSOSettingSpec>('Enabled', 'Whether people can sign in', ({ settings }) => settings.enabled),
        column<SSOSettingSpec>('Title', 'Name that people see', ({ settings }) => settings.name),
        column<SSOSettingSpec>('Client', 'Client id', ({ settings }) => settings.clientId, 1),
      ],
    },
    strategy: ssoSettingStrategy(environment),
  });
}

/** The scope of all settings of a provider. */
const settingsScope = (provider: string): string => `settings:auth.${provider}:*`;

/** A caller who can change a provider can sign in as others, so people are told. */
function change({ verb, object, by }: ReportedWrite): ReportedEvent {
  const message = `the sign-on settings of ${object.metadata.name} were ${DONE[verb]} by ${by}`;
  return { reason: 'SignOnChanged', type: 'Normal', message };
}

const DONE = { create: 'created', update: 'changed', delete: 'deleted' } as const;
