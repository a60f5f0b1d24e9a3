import { expect } from 'chai';
import { BSON, type CommandStartedEvent } from 'mongodb';
import { key, write } from '../../testing/backend/fixture.js';
import { useOwnDatabase } from '../../testing/mongodb.js';

describe('the size of the log on MongoDB', function () {
  this.timeout(60_000);
  const own = useOwnDatabase('test');

  it('is that of its documents, and takes two small commands', async () => {
    const commands: string[] = [];
    const server = await own().open(({ command, commandName }: CommandStartedEvent) => {
      if (['changes', 'staged'].some((name) => JSON.stringify(command).includes(name))) commands.push(commandName);
    });
    await write(server, [{ key: key('a'), value: 'x'.repeat(5000) }]);
    const documents = await own().db.collection('changes').find().toArray();
    commands.length = 0;
    const size = await server.logBytes();
    expect(commands.filter((name) => name !== 'find')).to.deep.equal(['dataSize', 'dataSize']);
    expect(size).to.equal(documents.reduce((sum, document) => sum + BSON.calculateObjectSize(document), 0));
  });
});
