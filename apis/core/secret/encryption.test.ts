import { expect } from 'chai';
import { sealer } from '../../../pkg/identity/crypto/seal.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { newDataKey } from '../../internal/datakey/key.js';
import { SecretEncryption } from './encryption.js';

const secretOf = (name: string, data?: Readonly<Record<string, string>>): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '7', annotations: { note: 'text' } },
    ...(data && { data }),
  }) as KubeObject;

describe('the encryption of Secrets', () => {
  const { spec } = newDataKey(sealer('the secret key'));
  const opened = (key = 'the secret key'): SecretEncryption => {
    const encryption = new SecretEncryption('svc.app', () => key);
    encryption.learn(spec);
    return encryption;
  };
  const one = secretOf('one', { password: 'aGlkZGVu' });

  it('gives back what it has taken, and hides data and annotations', () => {
    const sealed = opened().sealed(one);
    expect(JSON.stringify(sealed)).to.not.contain('aGlkZGVu').and.not.contain('note');
    expect(sealed.metadata).to.include({ name: 'one', resourceVersion: '7' });
    expect(opened().opened(sealed)).to.deep.equal(one);
  });

  it('gives the same for the same content, and another for another Secret', () => {
    expect(opened().sealed(one)).to.deep.equal(opened().sealed(one));
    const other = opened().sealed({ ...one, metadata: { ...one.metadata, uid: 'other' } });
    expect((other as unknown as { data: object }).data).to.not.deep.equal(
      (opened().sealed(one) as unknown as { data: object }).data,
    );
  });

  it('does not open what was moved to another Secret, or changed', () => {
    const { data } = opened().sealed(one) as unknown as { readonly data: Readonly<Record<string, string>> };
    const moved = { ...opened().sealed(secretOf('two', {})), data } as KubeObject;
    expect(opened().opened(moved)).to.equal(moved);
  });

  it('leaves what it cannot open as it is, and does not encrypt it again', () => {
    const sealed = opened().sealed(one);
    const stranger = opened('another key');
    expect(stranger.opened(sealed)).to.equal(sealed);
    expect(stranger.sealed(sealed)).to.equal(sealed);
  });

  it('stores no data without a key, and takes objects without data from before there was one', () => {
    const without = new SecretEncryption('svc.app', () => 'the secret key');
    expect(() => without.sealed(one)).to.throw('before there was a data key');
    expect(without.sealed(secretOf('parent'))).to.deep.equal(secretOf('parent'));
  });
});
