import { expect } from 'chai';
import { TokenReviewStatus } from '../../apis/authentication/token-review.js';
import { TokenRequestStatus } from '../../apis/iam/serviceaccount/token-subresource.js';
import { AS_ADMIN, basic, bearer, oneStore } from './harness.js';

const PATHS = [
  '/api/v1/namespaces/default/serviceaccounts/robot/token',
  '/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts/robot/token',
];
const REVIEW = '/apis/authentication.k8s.io/v1/tokenreviews';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const bytes = (...parts: (number | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));
const field = (number: number, value: Buffer) => Buffer.concat([bytes((number << 3) | 2, value.length), value]);

/** The body of `kubectl create token --duration=2h`, as client-go encodes it. */
function protobufRequest(): Buffer {
  const seconds = bytes(0x20, 0xa0, 0x38);
  const typeMeta = Buffer.concat([field(1, bytes('authentication.k8s.io/v1')), field(2, bytes('TokenRequest'))]);
  return Buffer.concat([bytes('k8s', 0), field(1, typeMeta), field(2, field(2, seconds))]);
}

oneStore('TokenRequest', (server) => {
  const request = (path: string, body: unknown, headers: Record<string, string> = AS_ADMIN) =>
    server().ask(path, { method: 'POST', body, headers });
  const whoami = async (token: string) => (await server().ask('/whoami', { headers: bearer(token) })).json;
  const issued = () => server().tokens.list('default', 'robot').length;

  before(async () => {
    await server().create(
      'iam/serviceaccounts',
      'robot',
      { title: 'Robot', role: 'Viewer', disabled: false },
      'default',
    );
    await server().user('viewer', {}, 'right');
    await server().user('chief', {}, 'right');
    await server().patch('iam/organizationbindings', 'chief', { role: 'Admin' }, 'default');
  });

  for (const path of PATHS) {
    it(`returns a token for one hour at ${path}`, async () => {
      const { status, json } = await request(path, { spec: {} });
      expect(status).to.equal(201);
      expect(json).to.include({ kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1' });
      const { token, expirationTimestamp } = TokenRequestStatus.parse(json['status']);
      expect(await whoami(token)).to.include({ name: 'system:serviceaccount:default:robot' });
      const left = Date.parse(expirationTimestamp) - server().services.now();
      expect(left).to.be.within(3_500_000, 3_600_000);
    });
  }

  it('accepts the protobuf of Go’s clients, with its duration', async () => {
    const headers = { ...AS_ADMIN, 'content-type': PROTOBUF, accept: `${PROTOBUF},application/json` };
    const { status, headers: answered } = await request(PATHS[0]!, protobufRequest(), headers);
    expect([status, answered['content-type']]).to.deep.equal([201, PROTOBUF]);
    const { json } = await request(PATHS[0]!, protobufRequest(), { ...headers, accept: 'application/json' });
    expect(json['spec']).to.include({ expirationSeconds: 7200 });
  });

  it('warns of fields and parameters that are not understood, which might ask for less, and refuses them with Strict', async () => {
    const { token } = TokenRequestStatus.parse((await request(PATHS[0]!, { spec: {} })).json['status']);
    const type = { apiVersion: 'authentication.k8s.io/v1' };
    for (const [path, body, named] of [
      [PATHS[0]!, { spec: { expirationSecond: 3600 } }, 'spec.expirationSecond'],
      [REVIEW, { ...type, kind: 'TokenReview', spec: { token, Audiences: ['vault'] } }, 'spec.Audiences'],
    ] as const) {
      const { status, headers } = await request(path, body);
      expect([status, String(headers['warning'])]).to.deep.equal([201, `299 - "unknown field \\"${named}\\""`]);
      expect((await request(`${path}?fieldValidation=Strict`, body)).status).to.equal(400);
      expect((await request(`${path}?dryrun=All`, body)).status).to.equal(400);
    }
    const unknown = await request(`${REVIEW}?bogus=1`, { spec: { token } });
    expect([unknown.status, String(unknown.headers['warning'])]).to.deep.equal([
      201,
      '299 - "unknown query parameter \\"bogus\\""',
    ]);
  });

  it('refuses other audiences, durations of less than ten minutes, and bound objects', async () => {
    const before = issued();
    for (const [spec, named] of [
      [{ audiences: ['vault'] }, 'spec.audiences'],
      [{ expirationSeconds: 599 }, 'spec.expirationSeconds'],
      [{ boundObjectRef: { kind: 'Pod', name: 'x' } }, 'spec.boundObjectRef'],
    ] as const) {
      const { status, json } = await request(PATHS[0]!, { spec });
      expect([status, json['reason']]).to.deep.equal([422, 'Invalid']);
      expect(json['message']).to.contain(named);
    }
    expect((await request(PATHS[0]!, { spec: { expirationSeconds: 'x' } })).status).to.equal(400);
    expect(issued()).to.equal(before);
  });

  it('stores nothing in a dry run', async () => {
    const before = issued();
    expect((await request(`${PATHS[0]}?dryRun=All`, { spec: {} })).status).to.equal(201);
    expect(issued()).to.equal(before);
  });

  it('requires the permission to change the account', async () => {
    expect((await request(PATHS[0]!, { spec: {} }, basic('viewer', 'right'))).status).to.equal(403);
    expect((await request(PATHS[0]!, { spec: {} }, basic('chief', 'right'))).status).to.equal(201);
  });

  it('answers 404 for an account that does not exist, and 405 for other methods', async () => {
    const missing = await request(PATHS[0]!.replace('robot', 'nobody'), { spec: {} });
    expect([missing.status, missing.json['reason']]).to.deep.equal([404, 'NotFound']);
    expect((await server().ask(PATHS[0]!, { headers: AS_ADMIN })).status).to.equal(405);
  });

  describe('TokenReview', () => {
    const review = async (spec: object, headers: Record<string, string> = AS_ADMIN) =>
      request(REVIEW, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec }, headers);

    // Promise: contract 7
    it('returns the user of a token', async () => {
      const { json } = await request(PATHS[0]!, { spec: {} });
      const { token } = json['status'] as { token: string };
      const answer = await review({ token });
      expect(answer.status).to.equal(201);
      const status = TokenReviewStatus.parse(answer.json['status']);
      expect(status.authenticated).to.equal(true);
      expect(status.user).to.include({ username: 'system:serviceaccount:default:robot', uid: 'robot' });
      expect(status.user).to.not.have.property('stillValid');
    });

    it('returns an error for a token that is wrong, missing, or for another audience', async () => {
      const errorOf = async (spec: object) => TokenReviewStatus.parse((await review(spec)).json['status']).error;
      expect(await errorOf({ token: 'wrong' })).to.equal('Invalid API key');
      expect(await errorOf({})).to.contain('no token');
      expect(await errorOf({ token: AS_ADMIN.authorization.slice(7), audiences: ['vault'] })).to.contain('audience');
    });

    it('is allowed for administrators only', async () => {
      expect((await review({ token: 'x' }, basic('chief', 'right'))).status).to.equal(403);
      const impersonated = { ...AS_ADMIN, 'impersonate-user': 'chief' };
      expect((await review({ token: 'x' }, impersonated)).status).to.equal(403);
    });
  });
});
