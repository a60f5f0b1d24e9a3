import { expect } from 'chai';
import { checkFormat, refused } from './format.js';

function refusal(found: Parameters<typeof checkFormat>[0]): string | undefined {
  try {
    checkFormat(found);
    return undefined;
  } catch (error) {
    expect(error).to.include({ code: 'refused' });
    return (error as Error).message;
  }
}

describe('the format of a database', () => {
  it('is that of this version or of those before', () => {
    for (const format of [2, 3, 4, 5]) expect(refusal({ format })).to.equal(undefined);
  });

  it('tells what to do if it is another one', () => {
    expect(refusal({ format: 'unfinished' })).to.match(/not complete.*Run the same command again/);
    expect(refusal({ format: 1 })).to.match(/earlier version.*it converts the database/);
    expect(refusal({ format: 6 })).to.match(/later version \(format 6\)/);
    expect(refusal(null)).to.match(/later version/);
    const cause = new Error('why');
    expect(refused('no', cause)).to.include({ code: 'refused', message: 'no', cause });
  });
});
