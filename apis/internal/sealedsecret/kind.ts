import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { SealedSecretSpec } from './schema.js';

/**
 * The secrets of the SSOSetting with the same name. They are apart from it, so that nothing that reads or copies it can
 * show them.
 */
export function sealedSecret(environment: KindEnvironment): Kind<SealedSecretSpec> {
  const settings = resourceName('iam/ssosettings', environment.domain);
  return defineKind<SealedSecretSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'SealedSecret',
      resource: 'sealedsecrets',
      singular: 'sealedsecret',
      scope: 'Cluster',
      description: 'SealedSecret holds encrypted secrets.',
      spec: SealedSecretSpec,
      names: UID_NAMES,
    },
    storage: {
      references: ({ metadata }) => [
        { resource: settings, namespace: '', name: metadata.name, field: 'metadata.name' },
      ],
    },
    serving: { served: false },
  });
}
