import { expect } from 'chai';
import { DEFAULT_LIMITS } from '../../kube/json/limits.js';
import { ApiError } from '../../kube/status/status.js';
import { SideThread, sideThread } from './side-thread.js';

const question = (text: string) =>
  ({ job: 'yamlToJson', bytes: Buffer.from(text), limits: { ...DEFAULT_LIMITS, values: 10 ** 6 } }) as const;

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).to.be.instanceOf(ApiError);
  return error as ApiError;
}

describe('a side thread', function suite() {
  this.timeout(60_000);

  it('answers with bytes, and with the refusals of the code that it runs', async () => {
    const { bytes, duplicates } = await sideThread.run(question('a: 9007199254740993\na: [x]\nb: 9007199254740993'));
    expect([Buffer.from(bytes).toString(), duplicates]).to.deep.equal(['{"a":["x"],"b":9007199254740993}', ['a']]);
    const refused = await refusal(sideThread.run(question('a: [')));
    expect([refused.code, refused.message]).to.deep.equal([
      400,
      'the body is not valid YAML: line 1, column 5: unexpected end of the stream within a flow collection',
    ]);
  });

  it('gives up a job that takes too long with 413, and does the next one', async () => {
    const thread = new SideThread(1);
    const long = refusal(thread.run(question('- 1\n'.repeat(200_000))));
    const next = refusal(thread.run(question('a: 1')));
    expect([(await long).code, (await next).code]).to.deep.equal([413, 413]);
    const patient = new SideThread();
    const [first, second] = await Promise.all([patient.run(question('a: 1')), patient.run(question('b: 2'))]);
    expect([first, second].map(({ bytes }) => Buffer.from(bytes).toString())).to.deep.equal(['{"a":1}', '{"b":2}']);
  });

  it('begins no job of a client that is gone', async () => {
    const cancellation = { aborted: false, reason: new Error('gone') };
    const thread = new SideThread();
    const first = thread.run(question('a: 1'));
    const second = thread.run(question('b: 2'), cancellation);
    cancellation.aborted = true;
    expect(await second.catch((error: unknown) => error)).to.equal(cancellation.reason);
    expect((await first).duplicates).to.deep.equal([]);
  });
});
