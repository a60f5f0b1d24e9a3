import { expect } from 'chai';
import { MASK, maskOf, maskUri } from './mask.js';

describe('masking for the audit log', () => {
  const mask = maskOf(['password', 'token']);

  it('replaces secrets at any depth and in any case, and shows which are empty', () => {
    const body = {
      user: 'a',
      Password: 'p',
      spec: [{ token: 't', key: 1 }],
      status: { token: { a: 1 }, password: '' },
    };
    expect(mask(body)).to.deep.equal({
      user: 'a',
      Password: MASK,
      spec: [{ token: MASK, key: 1 }],
      status: { token: MASK, password: '' },
    });
    expect([mask(undefined), mask(null), mask('text'), mask(3)]).to.deep.equal([undefined, null, 'text', 3]);
  });

  it('replaces what a JSON patch writes to a secret', () => {
    const patch = [
      { op: 'add', path: '/spec/password', value: 'p' },
      { op: 'add', path: '/spec/title', value: 'p' },
      { op: 'replace', path: '/spec', value: { token: 't' } },
    ];
    expect((mask(patch) as { value: unknown }[]).map(({ value }) => value)).to.deep.equal([MASK, 'p', { token: MASK }]);
  });

  it('replaces secrets in the copy that kubectl apply keeps in an annotation', () => {
    const key = 'kubectl.kubernetes.io/last-applied-configuration';
    const masked = (text: string) => (mask({ annotations: { [key]: text } }) as { annotations: object }).annotations;
    expect(masked('{"spec":{"token":"t","a":1}}')).to.deep.equal({ [key]: `{"spec":{"token":"${MASK}","a":1}}` });
    expect(masked('{"spec":{"token":')).to.deep.equal({ [key]: MASK });
    const path = `/metadata/annotations/${key.replace('/', '~1')}`;
    expect(mask([{ op: 'add', path, value: '{"token":"t"}' }])).to.deep.equal([{ op: 'add', path, value: MASK }]);
  });

  it('replaces credentials in the query of a URI, however their names are written', () => {
    expect(maskUri('/a')).to.equal('/a');
    expect(maskUri('/a?limit=1&continue=abc')).to.equal('/a?limit=1&continue=abc');
    expect(maskUri('/a?auth_token=x&b=y')).to.equal(`/a?auth_token=${MASK}&b=y`);
    expect(maskUri('/a?p%61ssword=x')).to.equal(`/a?p%61ssword=${MASK}`);
    expect(maskUri('/a?api%5fkey=x=y&%zz=1')).to.equal(`/a?api%5fkey=${MASK}&%zz=1`);
  });
});
