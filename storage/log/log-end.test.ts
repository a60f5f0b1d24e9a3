import { expect } from 'chai';
import { StorageError } from '../errors.js';
import { LogEnd, type LogPosition } from './log-end.js';

describe('the end of the log that a server knows', () => {
  const at = (revision: number, commit?: string): LogPosition => ({ revision, commitId: commit });

  /** Whether it is the same log, after a read has found a place. */
  function finds(end: LogEnd, found: LogPosition, meanwhile: () => void = () => undefined): boolean {
    const endRead = end.beginRead();
    meanwhile();
    try {
      endRead(found);
      return true;
    } catch (error) {
      expect(error).to.be.instanceOf(StorageError).with.property('code', 'diverged');
      return false;
    }
  }

  it('is of the same log if it is later, or the same commit, or if the commit is not known', () => {
    const end = new LogEnd();
    for (const place of [at(0, ''), at(3, 'c'), at(3, 'c'), at(3), at(4), at(4, 'd')])
      expect(finds(end, place)).to.equal(true);
    expect([end.logId, end.isBeyond(3), end.isBeyond(4)]).to.deep.equal([0, true, false]);
  });

  it('is of another log if it is earlier, or another commit', () => {
    let told = 0;
    for (const place of [at(2, 'c'), at(0, ''), at(3, 'x')]) {
      const end = new LogEnd(() => told++);
      end.point = 2;
      end.advance(at(3, 'c'));
      expect(finds(end, place)).to.equal(false);
      expect([end.logId, end.point, end.isBeyond(place.revision)]).to.deep.equal([1, 0, false]);
      // What was found is the new log.
      expect(finds(end, place)).to.equal(true);
    }
    expect(told).to.equal(3);
  });

  it('may have grown while it was read', () => {
    const end = new LogEnd();
    end.advance(at(3, 'c'));
    expect(finds(end, at(3, 'c'), () => end.advance(at(5, 'e')))).to.equal(true);
    expect(end.isBeyond(4)).to.equal(true);
  });

  it('is not taken from a read that began before the log turned out to be another one', () => {
    const end = new LogEnd();
    end.advance(at(3, 'c'));
    expect(finds(end, at(9, 'x'), () => end.diverge())).to.equal(false);
    expect([end.logId, end.isBeyond(0)]).to.deep.equal([1, false]);
  });

  it('wakes those who wait, when it grows and when the log is another one', async () => {
    const end = new LogEnd();
    const waits = [end.changed.wait(), end.changed.wait()];
    end.advance(at(1, 'a'));
    await Promise.all(waits);
    const again = end.changed.wait();
    end.diverge();
    await again;
  });
});
