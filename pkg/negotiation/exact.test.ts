import { expect } from 'chai';
import { exactly } from './exact.js';
import { requestFor } from './testing.js';

const answering = (status: number) => async () => ({ status, headers: {} });

describe('exactly', () => {
  const handler = exactly(new Map([['/apis', answering(200)]]), answering(404));
  const statusOf = async (path: string): Promise<number> => (await handler(requestFor(path))).status;

  it('serves a path with and without the slash at its end', async () => {
    expect([await statusOf('/apis'), await statusOf('/apis/'), await statusOf('/apis?x=1')]).to.deep.equal([
      200, 200, 200,
    ]);
  });

  it('leaves every other path to the other handler', async () => {
    expect([await statusOf('/apis/x'), await statusOf('/api'), await statusOf('/apis//')]).to.deep.equal([
      404, 404, 404,
    ]);
  });
});
