import { expect } from 'chai';
import { installScim2, scim2Tester } from '../../hack/scim2-tester.js';
import { eachStore } from '../harness/stores.js';

/** One installation for all stores, because it takes longer than the checks. */
let scim2: Awaited<ReturnType<typeof installScim2>> | undefined;
after(() => scim2?.remove());

eachStore('SCIM', (server) => {
  it('passes all checks of scim2-tester', async function check() {
    this.timeout(300_000);
    scim2 ??= await installScim2();
    const { port, headers } = server().address();
    const url = `http://127.0.0.1:${port}/apis/scim.svc.app/v0alpha1/namespaces/default`;
    const output = await scim2Tester(scim2.program, url, headers);
    const statuses = [...output.matchAll(/^([A-Z]+) \w+$/gm)].map(([, status]) => status);
    expect(statuses.length, output).to.be.greaterThan(60);
    expect([...new Set(statuses)], output).to.deep.equal(['SUCCESS']);
  });
});
