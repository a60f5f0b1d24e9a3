import { expect } from 'chai';
import { runSteps } from './steps.js';

describe('work in steps that is done at once', () => {
  it('gives its result after all of them', () => {
    const done: number[] = [];
    const result = runSteps(
      (function* () {
        for (let i = 0; i < 3; i++) {
          done.push(i);
          yield;
        }
        return 'done';
      })(),
    );
    expect([result, done]).to.deep.equal(['done', [0, 1, 2]]);
  });
});
