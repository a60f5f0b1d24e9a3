import { expect } from 'chai';
import { decodeYaml } from '../../kube/json/decode.js';
import { limitsOf } from '../../kube/json/limits.js';
import type { ApiRequest, ApiResponse } from '../handler.js';
import { formed, inAcceptedForm, isFormedLate } from './forms.js';

const NAMES = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`name ${i}`, `value ${i}`]));
const SECRET = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: NAMES };

const requestOf = (headers: Record<string, string>): ApiRequest =>
  ({ headers, query: new URLSearchParams() }) as unknown as ApiRequest;
const responseOf = (value: unknown): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
const textOf = ({ body }: ApiResponse): string => Buffer.from(body as Uint8Array).toString();

describe('a large answer', function suite() {
  this.timeout(60_000);

  for (const accept of ['application/yaml', 'application/vnd.kubernetes.protobuf'])
    it(`is brought to its form in a thread, and is the same as without it (${accept})`, async () => {
      const request = requestOf({ accept });
      const late = formed(request, responseOf(SECRET));
      expect(late).to.be.instanceOf(Promise);
      const { headers, body } = await late;
      const expected = inAcceptedForm(request, responseOf(SECRET));
      expect(headers).to.deep.equal(expected.headers);
      expect(Buffer.from(body as Uint8Array).equals(expected.body as Uint8Array)).to.equal(true);
    });

  it('is indented in a thread for people, once', async () => {
    const request = requestOf({ 'user-agent': 'curl/8' });
    expect(isFormedLate(request, responseOf(SECRET).body as Uint8Array)).to.equal(true);
    const late = formed(request, responseOf(SECRET));
    expect(late).to.be.instanceOf(Promise);
    const made = await late;
    expect(textOf(made)).to.equal(`${JSON.stringify(SECRET, null, 2)}\n`);
    expect(formed(request, made)).to.equal(made);
  });

  it('is what its client prefers, which may be JSON', async () => {
    const request = requestOf({ accept: 'application/json, application/yaml' });
    const response = responseOf(SECRET);
    expect(textOf(await formed(request, response))).to.equal(textOf(response));
  });

  it('stays in JSON if the thread fails, and the server learns why', async () => {
    const request = requestOf({ accept: 'application/yaml' });
    const broken = { ...responseOf(SECRET), body: Buffer.from(`${'{'.repeat(300_000)}`) };
    expect(await formed(request, broken)).to.equal(broken);
    expect(request.fault).to.be.instanceOf(Error);
  });

  it('is made at once if it is small', () => {
    const yaml = formed(requestOf({ accept: 'application/yaml' }), responseOf({ a: 1 }));
    expect(textOf(yaml as ApiResponse)).to.equal('a: 1\n');
    const { body } = responseOf(SECRET);
    expect(isFormedLate(requestOf({}), body as Uint8Array)).to.equal(false);
  });

  it('is the same value', async () => {
    const made = await formed(requestOf({ accept: 'application/yaml' }), responseOf(SECRET));
    expect(decodeYaml(Buffer.from(textOf(made)), limitsOf(2 ** 24)).value).to.deep.equal(SECRET);
  });
});
