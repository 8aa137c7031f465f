//! The program's own code in huge pages.
//!
//! A page of code that comes from a file is not handed on by a fork: each child has to fetch it again, with a fault for
//! every few pages it runs through. Copied into anonymous memory in pages of 2 MiB, all of Vampire's code is a handful of
//! entries that every child inherits. Measured, this is a third of what a small question costs.
//!
//! Best effort: where the system has no huge pages to give, the code stays where it is.

use std::ffi::c_void;
use std::fs;
use std::ptr;

use rustix::mm::{Advice, MapFlags, MprotectFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mprotect, munmap};

const HUGE: usize = 2 * 1024 * 1024;

/// Moves what fills whole huge pages of this process's code into such pages.
pub(super) fn into_huge_pages() {
    // "always [madvise] never": the word in brackets is in force. Without huge pages a copy would only cost.
    let setting = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    if setting.is_empty() || setting.contains("[never]") {
        return;
    }
    let Ok(maps) = fs::read_to_string("/proc/self/maps") else { return };
    for (start, end) in maps.lines().filter_map(code) {
        let start = start.next_multiple_of(HUGE);
        let end = end / HUGE * HUGE;
        if start < end {
            copy(start, end - start);
        }
    }
}

/// The addresses of a line of `/proc/self/maps`, if it is code from a file.
fn code(line: &str) -> Option<(usize, usize)> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let is_code = words.next()? == "r-xp" && words.nth(3).is_some_and(|path| path.starts_with('/'));
    let number = |text| usize::from_str_radix(text, 16).ok();
    is_code.then_some((number(start)?, number(end)?))
}

/// Puts a copy of the code there in its place. Both numbers are multiples of [`HUGE`].
fn copy(start: usize, length: usize) {
    let place: *mut c_void = ptr::with_exposed_provenance_mut(start);
    // SAFETY: the new mapping is anonymous, and used only within its bounds. The code is readable, mapped for as long as
    // the process lives, and its copy is the same bytes: replacing one by the other, which is one atomic step, changes
    // nothing for whoever runs or reads it.
    unsafe {
        let Ok(base) = mmap_anonymous(
            ptr::null_mut(),
            length + HUGE,
            ProtFlags::READ | ProtFlags::WRITE,
            MapFlags::PRIVATE | MapFlags::NORESERVE,
        ) else {
            return;
        };
        let skip = base.addr().next_multiple_of(HUGE) - base.addr();
        let twin = base.byte_add(skip);
        let ready = madvise(twin, length, Advice::LinuxHugepage).and_then(|()| {
            ptr::copy_nonoverlapping(place.cast::<u8>(), twin.cast::<u8>(), length);
            mprotect(twin, length, MprotectFlags::READ | MprotectFlags::EXEC)
        });
        let moved = ready
            .and_then(|()| rustix::mm::mremap_fixed(twin, length, length, MremapFlags::MAYMOVE, place).map(|_| ()));
        // What was mapped beyond the copy, and the copy itself if it could not be moved.
        if moved.is_err() {
            let _ = munmap(base, length + HUGE);
        } else {
            if skip > 0 {
                let _ = munmap(base, skip);
            }
            let _ = munmap(twin.byte_add(length), HUGE - skip);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_from_files_is_taken() {
        assert_eq!(
            code("55b2ce175000-55b2ce200000 r-xp 0004a000 fe:00 10240094   /usr/bin/x"),
            Some((0x55b2_ce17_5000, 0x55b2_ce20_0000))
        );
        for line in [
            "55b2ce175000-55b2ce200000 r--p 0004a000 fe:00 10240094   /usr/bin/x",
            "55b2ce175000-55b2ce200000 rw-p 00000000 00:00 0          [heap]",
            "7fff0000-7fff1000 r-xp 00000000 00:00 0                  [vdso]",
            "55b2ce200000-55b2cea00000 r-xp 00000000 00:00 0",
            "",
        ] {
            assert_eq!(code(line), None, "{line}");
        }
    }

    #[test]
    fn code_runs_on_after_it_was_moved() {
        into_huge_pages();
        assert_eq!(code("1-2 r-xp 0 0 0 /x"), Some((1, 2)));
    }
}
