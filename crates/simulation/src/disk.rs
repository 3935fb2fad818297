//! Faults of the disk. SQLite lets system calls be replaced for tests (`xSetSystemCall`): the replacement fails the call that the seed
//! chose, and SQLite has to cope.

#![expect(unsafe_code, reason = "the hook takes C functions")]

use std::ffi::{CStr, c_int, c_void};
use std::mem::transmute;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, Ordering};

use anyhow::ensure;
use libsqlite3_sys::{SQLITE_OK, sqlite3_vfs_find};

/// A fault of the disk.
#[derive(Clone, Copy, Debug)]
pub struct DiskFault {
    /// How many system calls succeed before it.
    pub after: i64,
    /// What it is: `EIO` or `ENOSPC`.
    pub errno: c_int,
}

/// How many calls succeed before the one that fails; below zero if none fails.
static REMAINING: AtomicI64 = AtomicI64::new(-1);
static ERRNO: AtomicI32 = AtomicI32::new(0);
static FAILED: AtomicBool = AtomicBool::new(false);

/// Replaces SQLite's system calls in this process.
///
/// # Errors
/// When SQLite does not know a call.
pub fn install() -> anyhow::Result<()> {
    type Syscall = unsafe extern "C" fn();
    // SAFETY: each replacement has the signature of the call that it replaces; SQLite casts it back before it calls it.
    let calls: [(&CStr, Syscall); 3] = unsafe {
        [
            (c"read", transmute::<unsafe extern "C" fn(c_int, *mut c_void, usize) -> isize, Syscall>(read)),
            (c"write", transmute::<unsafe extern "C" fn(c_int, *const c_void, usize) -> isize, Syscall>(write)),
            (c"ftruncate", transmute::<unsafe extern "C" fn(c_int, i64) -> c_int, Syscall>(ftruncate)),
        ]
    };
    // SAFETY: no connection is open yet, and the default file system of SQLite lives as long as the process.
    unsafe {
        let vfs = sqlite3_vfs_find(std::ptr::null());
        let set = (!vfs.is_null()).then(|| (*vfs).xSetSystemCall).flatten();
        let Some(set) = set else { anyhow::bail!("SQLite has no file system whose calls can be replaced") };
        for (name, call) in calls {
            ensure!(set(vfs, name.as_ptr(), Some(call)) == SQLITE_OK, "SQLite does not know the system call {name:?}");
        }
    }
    Ok(())
}

/// Lets a call fail from now on. One thing at a time uses the disk: the simulator waits until a statement has ended.
pub fn arm(fault: DiskFault) {
    ERRNO.store(fault.errno, Ordering::SeqCst);
    REMAINING.store(fault.after, Ordering::SeqCst);
}

/// Lets no call fail from now on. Returns whether one has failed.
pub fn disarm() -> bool {
    REMAINING.store(-1, Ordering::SeqCst);
    FAILED.swap(false, Ordering::SeqCst)
}

/// Whether this call fails.
fn fails() -> bool {
    if REMAINING.load(Ordering::SeqCst) < 0 || REMAINING.fetch_sub(1, Ordering::SeqCst) != 0 {
        return false;
    }
    FAILED.store(true, Ordering::SeqCst);
    // SAFETY: the C library gives each thread its own.
    unsafe { *libc::__errno_location() = ERRNO.load(Ordering::SeqCst) };
    true
}

unsafe extern "C" fn read(file: c_int, buffer: *mut c_void, count: usize) -> isize {
    // SAFETY: the arguments are SQLite's.
    if fails() { -1 } else { unsafe { libc::read(file, buffer, count) } }
}

unsafe extern "C" fn write(file: c_int, buffer: *const c_void, count: usize) -> isize {
    // SAFETY: the arguments are SQLite's.
    if fails() { -1 } else { unsafe { libc::write(file, buffer, count) } }
}

unsafe extern "C" fn ftruncate(file: c_int, length: i64) -> c_int {
    // SAFETY: the arguments are SQLite's.
    if fails() { -1 } else { unsafe { libc::ftruncate(file, length) } }
}

/// Takes the place of the C library's function, which SQLite calls directly. Nothing is written to a device: no power is cut here.
#[unsafe(no_mangle)]
extern "C" fn fsync(_file: c_int) -> c_int {
    if fails() { -1 } else { 0 }
}
