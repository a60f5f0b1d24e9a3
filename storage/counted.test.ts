import { expect } from 'chai';
import { CountChanges, countedOf } from './counted.js';

describe('counted tuples', () => {
  it('are those of the rows of counted indexes, each once', () => {
    const rows = [
      { index: 'byTag', tuple: 'x1', counted: 'x' },
      { index: 'byTag', tuple: 'x2', counted: 'x' },
      { index: 'byTime', tuple: '5' },
      { index: 'byUser', tuple: 'x', counted: 'x' },
    ];
    expect([...countedOf(rows)]).to.deep.equal(['byTag x', 'byUser x']);
  });

  it('change by the difference of what an object had and has, in sum over the objects', () => {
    const changes = new CountChanges();
    changes.add([], ['byTag x', 'byTag y']);
    changes.add(['byTag x'], ['byTag y', 'byTag z']);
    changes.add(['byTag w'], []);
    expect(Object.fromEntries(changes)).to.deep.equal({ 'byTag y': 2, 'byTag z': 1, 'byTag w': -1 });
  });
});
