import { expect } from 'chai';
import { ColdEntry } from '../testing/cold-entry.js';
import { ResidencyCheck, residencyPeriod, whenResident } from './residency.js';

describe('what is in the page cache', () => {
  const counted = (load = async (): Promise<void> => undefined) => {
    const counter = { looks: 0 };
    const residence = new ResidencyCheck(() => {
      counter.looks++;
      return load();
    });
    return { counter, residence };
  };

  it('is looked at once for all who ask, and not before somebody asks', async () => {
    const { counter, residence } = counted();
    expect(counter.looks).to.equal(0);
    const [first, second] = [residence.whenResident(), residence.whenResident()];
    expect(first).to.be.a('promise').and.to.equal(second);
    await first;
    expect(counter.looks).to.equal(1);
  });

  it('is not looked at again in the same period, but in the next one', async () => {
    const { counter, residence } = counted();
    await residence.whenResident();
    const seen = residencyPeriod();
    expect(residence.whenResident(seen)).to.equal(undefined);
    await residence.whenResident(seen + 1);
    expect(counter.looks).to.equal(2);
  });

  it('fails no request if it cannot be loaded', async () => {
    const { residence } = counted(() => Promise.reject(new Error('the disk is gone')));
    await residence.whenResident();
    expect(residence.whenResident()).to.equal(undefined);
  });
});

describe('objects that are read ahead', () => {
  it('are those that only the disk has, each once', async () => {
    const loads: string[] = [];
    const entries = Array.from({ length: 20 }, (_, i) => new ColdEntry(`r/${i}`, loads));
    await entries[3]?.load('all');
    loads.length = 0;
    await whenResident(entries);
    expect(loads).to.deep.equal(entries.filter((_, i) => i !== 3).map(({ key }) => key));
    expect(whenResident(entries)).to.equal(undefined);
  });

  it('are read without their bytes, if only the attributes are wanted', async () => {
    const loads: string[] = [];
    await whenResident([new ColdEntry('r/a', loads)], 'attributes');
    expect(loads).to.deep.equal(['attributes of r/a']);
  });
});
