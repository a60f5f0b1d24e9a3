import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import { BY_MIRROR, MirrorRecordSpec } from './schema.js';

/** What a mirror has sent of some objects, so that a restart sends only what differs (docs/adr/0065). */
export function mirrorRecord(environment: KindEnvironment): Kind<MirrorRecordSpec> {
  const mirrors = resourceName('mirror/mirrors', environment.domain);
  const mirrorOf = (spec: unknown): string => (spec as MirrorRecordSpec | undefined)?.mirror ?? '';
  return defineKind<MirrorRecordSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'MirrorRecord',
      resource: 'mirrorrecords',
      singular: 'mirrorrecord',
      scope: 'Namespaced',
      description: 'MirrorRecord holds what a mirror has sent of some objects.',
      spec: MirrorRecordSpec,
    },
    storage: {
      indexers: { [BY_MIRROR]: ({ metadata, spec }) => [[metadata.namespace ?? '', mirrorOf(spec)]] },
      references: ({ metadata, spec }) => [
        { resource: mirrors, namespace: metadata.namespace ?? '', name: mirrorOf(spec), field: 'spec.mirror' },
      ],
    },
    serving: { served: false },
  });
}
