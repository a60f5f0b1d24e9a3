import { expect } from 'chai';
import type { Setup } from './setup.js';

interface Review {
  readonly status: { readonly userInfo: { readonly username: string } };
}

export function subresources(setup: Setup): void {
  const account = JSON.stringify({
    apiVersion: 'iam.svc.app/v1beta1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot' },
    spec: { title: 'Robot', role: 'Viewer' },
  });
  const whoami = async (token: string): Promise<string> => {
    const answer = await fetch(`${setup.server.httpUrl}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
    });
    return ((await answer.json()) as Review).status.userInfo.username;
  };

  describe('subresources', () => {
    // Promise: contract 7
    it('create token requests a token of a service account', async () => {
      await setup.kubectl.ok(['create', '-f', '-'], { input: account });
      const token = (await setup.kubectl.ok(['create', 'token', 'robot', '--duration=2h'])).trim();
      expect(token).to.match(/^glsa_/);
      expect(await whoami(token)).to.equal('system:serviceaccount:default:robot');
    });

    it('create token names the account that does not exist, and the duration that is too short', async () => {
      expect(await setup.kubectl.fails(['create', 'token', 'nobody'])).to.contain('"nobody" not found');
      const short = await setup.kubectl.fails(['create', 'token', 'robot', '--duration=1m']);
      expect(short).to.contain('may not specify a duration less than 10 minutes');
    });
  });
}
