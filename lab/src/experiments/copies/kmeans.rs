//! k-means over the bits of fingerprints, as vectors of zeros and ones (Vladimir et al., section 5.1).
//!
//! The result depends on the start: two originals that share a first centre are never separated again. [`plus_plus`] is k-means++ (Arthur &
//! Vassilvitskii 2007) in its usual greedy form: each centre is the best of several candidates, i.e. the one that minimises the total distance of
//! fingerprints to their nearest centre. Candidates are drawn with a probability that grows with the distance from the centres chosen before.

use crate::experiments::SampleRandom;
use endpaper_detect::copies::Fingerprint;

const ROUNDS: usize = 100;

/// Number of partial sums, so that the compiler vectorises.
const LANES: usize = 16;

/// The result of k-means.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    /// Cluster index of each fingerprint.
    pub clusters: Vec<usize>,
    /// Sum of squared distances to the centres.
    pub inertia: f64,
}

/// Clusters fingerprints of one length around centres that start at the fingerprints with the indices `start`.
///
/// Stops when no fingerprint changes its cluster. Indices out of range are ignored.
pub fn k_means(prints: &[Fingerprint], start: &[usize]) -> Clustering {
    let start: Vec<usize> = start
        .iter()
        .copied()
        .filter(|&at| at < prints.len())
        .collect();
    if start.is_empty() {
        return Clustering {
            clusters: vec![0; prints.len()],
            inertia: 0.0,
        };
    }
    let bits = prints[0].bits().count() as usize;
    let points: Vec<Vec<f32>> = prints.iter().map(|print| vector(print, bits)).collect();
    let mut centres: Vec<Vec<f32>> = start.into_iter().map(|at| points[at].clone()).collect();
    let mut clusters = vec![usize::MAX; points.len()];
    let mut apart = vec![0.0; points.len()];
    for _ in 0..ROUNDS {
        let squares: Vec<f32> = centres.iter().map(|centre| dot(centre, centre)).collect();
        let mut moved = false;
        for ((point, cluster), apart) in points.iter().zip(&mut clusters).zip(&mut apart) {
            // The squared distance without the squared norm of the point, which is the same for all centres.
            let distances = centres.iter().zip(&squares);
            let distances = distances.map(|(centre, square)| square - 2.0 * dot(point, centre));
            let nearest = distances
                .enumerate()
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .map_or((0, 0.0), |nearest| nearest);
            moved |= *cluster != nearest.0;
            *cluster = nearest.0;
            *apart = (nearest.1 + dot(point, point)).max(0.0);
        }
        if !moved {
            break;
        }
        fill(&mut clusters, &mut apart, centres.len());
        centres = means(&points, &clusters, centres.len());
    }
    Clustering {
        clusters,
        inertia: apart.iter().map(|apart| f64::from(*apart)).sum(),
    }
}

fn vector(print: &Fingerprint, bits: usize) -> Vec<f32> {
    let words = print.words();
    (0..bits)
        .map(|bit| (words[bit / 64] >> (bit % 64) & 1) as f32)
        .collect()
}

/// Returns the indices of the first centres, each the best of several candidates.
///
/// Returns at most `count` indices, fewer if there are fewer distinct fingerprints.
pub fn plus_plus(
    prints: &[Fingerprint],
    count: usize,
    candidates: usize,
    random: &mut SampleRandom,
) -> Vec<usize> {
    if prints.is_empty() || count == 0 {
        return Vec::new();
    }
    // For vectors of zeros and ones the squared distance is the number of differing bits.
    let near = |apart: &[u32], at: usize| -> Vec<u32> {
        let each = apart.iter().zip(prints);
        each.map(|(apart, print)| print.distance(&prints[at]).min(*apart))
            .collect()
    };
    let sum = |apart: &[u32]| apart.iter().map(|apart| *apart as usize).sum::<usize>();
    let mut chosen = vec![random.below(prints.len())];
    let mut apart = near(&vec![u32::MAX; prints.len()], chosen[0]);
    while chosen.len() < count && sum(&apart) > 0 {
        let all = sum(&apart);
        let tried = (0..candidates.max(1)).map(|_| {
            let mut left = random.below(all);
            let place = apart.iter().position(|&apart| {
                let here = left < apart as usize;
                left = left.saturating_sub(apart as usize);
                here
            });
            let place = place.unwrap_or(0);
            (place, near(&apart, place))
        });
        let best = tried.min_by_key(|(_, apart)| sum(apart));
        let Some((place, nearer)) = best else { break };
        chosen.push(place);
        apart = nearer;
    }
    chosen
}

/// Moves the point farthest from its centre into each empty cluster.
fn fill(clusters: &mut [usize], apart: &mut [f32], count: usize) {
    let mut sizes = vec![0; count];
    clusters.iter().for_each(|&cluster| sizes[cluster] += 1);
    for empty in 0..count {
        if sizes[empty] > 0 {
            continue;
        }
        let farthest = (0..clusters.len())
            .filter(|&at| sizes[clusters[at]] > 1)
            .max_by(|&a, &b| apart[a].total_cmp(&apart[b]));
        if let Some(at) = farthest {
            sizes[clusters[at]] -= 1;
            sizes[empty] = 1;
            (clusters[at], apart[at]) = (empty, 0.0);
        }
    }
}

fn means(points: &[Vec<f32>], clusters: &[usize], count: usize) -> Vec<Vec<f32>> {
    let mut sums = vec![vec![0.0; points[0].len()]; count];
    let mut sizes = vec![0.0f32; count];
    for (point, &cluster) in points.iter().zip(clusters) {
        sizes[cluster] += 1.0;
        for (sum, value) in sums[cluster].iter_mut().zip(point) {
            *sum += value;
        }
    }
    for (sum, size) in sums.iter_mut().zip(sizes) {
        sum.iter_mut().for_each(|value| *value /= size.max(1.0));
    }
    sums
}

/// Dot product of two vectors of one length, a multiple of `LANES`, as all fingerprint lengths are.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::experiments::copies::pairwise;
    use endpaper_detect::copies::FingerprintBits;

    /// Returns fingerprints a few bits around some centres, and the centre of each.
    fn around(
        seed: u64,
        groups: usize,
        each: usize,
        away: usize,
    ) -> (Vec<Fingerprint>, Vec<usize>) {
        let mut random = SampleRandom::new(seed);
        let (mut prints, mut truth) = (Vec::new(), Vec::new());
        for group in 0..groups {
            let middle: [u64; 4] = std::array::from_fn(|_| random.number());
            for _ in 0..each {
                let mut words = middle;
                for _ in 0..away {
                    let bit = random.below(128);
                    words[bit / 64] ^= 1 << (bit % 64);
                }
                prints.push(Fingerprint::from_words(words, FingerprintBits::default()));
                truth.push(group);
            }
        }
        (prints, truth)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn groups_far_apart_are_found(seed in any::<u64>(), groups in 1..6usize, away in 0..6usize) {
            let (prints, truth) = around(seed, groups, 8, away);
            let start = plus_plus(&prints, groups, 10, &mut SampleRandom::new(seed));
            prop_assert_eq!(pairwise(&k_means(&prints, &start).clusters, &truth).f1(), 1.0);
        }

        #[test]
        fn every_point_is_in_the_nearest_cluster(seed in any::<u64>(), count in 1..12usize) {
            let (prints, _) = around(seed, 5, 6, 30);
            let start = plus_plus(&prints, count, 1, &mut SampleRandom::new(seed));
            let found = k_means(&prints, &start);
            let points: Vec<Vec<f32>> = prints.iter().map(|print| vector(print, 128)).collect();
            let centres = means(&points, &found.clusters, count);
            let square = |point: &[f32], centre: &[f32]| -> f32 {
                point.iter().zip(centre).map(|(a, b)| (a - b) * (a - b)).sum()
            };
            let mut inertia = 0.0;
            for (point, &cluster) in points.iter().zip(&found.clusters) {
                let apart = square(point, &centres[cluster]);
                inertia += f64::from(apart);
                let nearest = centres.iter().map(|centre| square(point, centre)).fold(f32::INFINITY, f32::min);
                prop_assert!(apart <= nearest + 1e-3);
            }
            prop_assert!((inertia - found.inertia).abs() < 0.1, "{inertia} {}", found.inertia);
        }
    }

    #[test]
    fn centres_start_apart() {
        let (prints, truth) = around(3, 20, 5, 3);
        let missed = |candidates| -> usize {
            let each = (0..20).map(|seed| {
                let start = plus_plus(&prints, 20, candidates, &mut SampleRandom::new(seed));
                assert_eq!(start.len(), 20);
                let mut groups: Vec<usize> = start.iter().map(|&at| truth[at]).collect();
                groups.sort_unstable();
                groups.dedup();
                20 - groups.len()
            });
            each.sum()
        };
        assert_eq!(missed(20), 0);
        assert!(missed(1) > 0);
    }

    #[test]
    fn little_and_equal_things_are_clustered_too() {
        let mut random = SampleRandom::new(1);
        assert!(plus_plus(&[], 3, 1, &mut random).is_empty());
        assert!(k_means(&[], &[0]).clusters.is_empty());
        let (prints, _) = around(1, 1, 5, 0);
        for count in [0, 1, 5, 9] {
            let start = plus_plus(&prints, count, 2, &mut random);
            assert_eq!(start.len(), count.min(1));
            let found = k_means(&prints, &start);
            assert_eq!((found.clusters, found.inertia), (vec![0; 5], 0.0));
        }
        assert_eq!(k_means(&prints, &[7]).clusters, [0; 5]);
        let (prints, _) = around(2, 3, 1, 0);
        let found = k_means(&prints, &plus_plus(&prints, 9, 2, &mut random));
        let mut clusters = found.clusters.clone();
        clusters.sort_unstable();
        clusters.dedup();
        assert_eq!((clusters.len(), found.inertia), (3, 0.0));
    }

    #[test]
    fn a_cluster_that_loses_all_gets_the_farthest_point() {
        // Both centres start at one point; the second cluster is empty at first.
        let (prints, truth) = around(4, 2, 4, 0);
        let found = k_means(&prints, &[0, 1]);
        assert_eq!(pairwise(&found.clusters, &truth).f1(), 1.0);
    }
}
