import { expect } from 'chai';
import { scim2Tester } from '../../hack/scim2-tester.js';
import { eachStore } from '../harness/stores.js';

eachStore('SCIM', (server) => {
  it('passes all checks of scim2-tester', async function scim2() {
    this.timeout(300_000);
    const { port, headers } = server().address();
    const url = `http://127.0.0.1:${port}/apis/scim.svc.app/v0alpha1/namespaces/default`;
    const output = await scim2Tester(url, headers);
    const statuses = [...output.matchAll(/^([A-Z]+) \w+$/gm)].map(([, status]) => status);
    expect(statuses.length, output).to.be.greaterThan(60);
    expect([...new Set(statuses)], output).to.deep.equal(['SUCCESS']);
  });
});
