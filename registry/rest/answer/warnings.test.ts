import { expect } from 'chai';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Kind } from '../../kinds/kind.js';
import { LAMP } from '../../testing/house.js';
import { adviceOn } from './warnings.js';

describe('the advice about an object', () => {
  const object = (more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
    apiVersion: LAMP.apiVersion,
    kind: 'Lamp',
    metadata: { name: 'a', ...more },
  });
  const kind: Kind = { ...LAMP, ownKeys: ['colour'], strategy: { warnings: () => ['too bright'] } };
  const reserved = (field: string, key: string) =>
    `metadata.${field}[${key}]: keys that begin with svc.app/ are reserved, and this one has no meaning: remove it, or use a prefix of your own`;

  it('is that of its kind', () => {
    expect(adviceOn(kind, object())).to.deep.equal(['too bright']);
    expect(adviceOn(LAMP, object())).to.deep.equal([]);
    expect(adviceOn({ ...LAMP, strategy: {} }, object())).to.deep.equal([]);
  });

  it('takes a member that an apply has as null as absent', () => {
    const strategy = { warnings: ({ spec }: KubeObject) => [`the spec is ${spec}`] };
    const applied = { ...object(), spec: null };
    expect(adviceOn({ ...LAMP, strategy }, applied as unknown as KubeObject)).to.deep.equal(['the spec is undefined']);
  });

  it('names keys of the server that have no meaning', () => {
    const { ownedKeys } = LAMP;
    const [label, annotation] = [ownedKeys.labels[0] ?? '', ownedKeys.annotations[0] ?? ''];
    expect(
      adviceOn(LAMP, object({ labels: { [label]: '1', 'svc.app/x': '1', y: '1', 'svc.apple/z': '1' } })),
    ).to.deep.equal([reserved('labels', 'svc.app/x')]);
    expect(adviceOn(LAMP, object({ annotations: { [annotation]: '1', 'svc.app/x': '1', y: '1' } }))).to.deep.equal([
      reserved('annotations', 'svc.app/x'),
    ]);
    expect(adviceOn(LAMP, object({ annotations: { 'svc.app/colour': 'red' } }))).to.have.length(1);
    expect(adviceOn(kind, object({ annotations: { 'svc.app/colour': 'red' } }))).to.deep.equal(['too bright']);
  });

  it('knows that a message about the change has a meaning for kinds with a history only', () => {
    const annotations = { [LAMP.ownedKeys.message]: 'why' };
    expect(adviceOn({ ...LAMP, history: {} }, object({ annotations }))).to.deep.equal([]);
    expect(adviceOn(LAMP, object({ annotations }))).to.deep.equal([reserved('annotations', LAMP.ownedKeys.message)]);
  });

  it('is not given on a change of the status', () => {
    expect(adviceOn(kind, object({ labels: { 'svc.app/x': '1' } }), 'status')).to.deep.equal([]);
  });
});
