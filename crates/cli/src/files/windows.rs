//! Locks and access control lists of Windows, for replaced files and private files.

#![allow(unsafe_code, reason = "the functions of Windows are in C")]

use std::ffi::c_void;
use std::fs::{File, TryLockError};
use std::io::{Error, Result};
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_LOCK_VIOLATION, GENERIC_READ, GENERIC_WRITE, LocalFree};
use windows_sys::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, GetSecurityInfo, SDDL_REVISION_1,
    SE_FILE_OBJECT, SetSecurityInfo,
};
use windows_sys::Win32::Security::{
    ACL, DACL_SECURITY_INFORMATION, GetSecurityDescriptorControl, GetSecurityDescriptorDacl, GetTokenInformation,
    PROTECTED_DACL_SECURITY_INFORMATION, SE_DACL_PROTECTED, SECURITY_ATTRIBUTES, TOKEN_QUERY, TOKEN_USER, TokenUser,
    UNPROTECTED_DACL_SECURITY_INFORMATION,
};
use windows_sys::Win32::Storage::FileSystem::{
    CreateDirectoryW, LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx, WRITE_DAC,
};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

/// The rights of an opened file that is written, and then given the permissions of another one.
pub(super) const CHANGEABLE: u32 = GENERIC_READ | GENERIC_WRITE | WRITE_DAC;

/// Locks a file for this process until it is closed.
///
/// The lock is on a byte that no file has: other programs still read the file, which a lock of its bytes would forbid.
pub(super) fn try_lock(file: &File) -> std::result::Result<(), TryLockError> {
    let mut place = OVERLAPPED::default();
    place.Anonymous.Anonymous.Offset = u32::MAX;
    place.Anonymous.Anonymous.OffsetHigh = i32::MAX.unsigned_abs();
    let how = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the handle is open, and `place` outlives the call, which does not wait.
    if unsafe { LockFileEx(file.as_raw_handle(), how, 0, 1, 0, &mut place) } != 0 {
        return Ok(());
    }
    let error = Error::last_os_error();
    match error.raw_os_error().map(i32::unsigned_abs) {
        Some(ERROR_LOCK_VIOLATION | ERROR_IO_PENDING) => Err(TryLockError::WouldBlock),
        _ => Err(TryLockError::Error(error)),
    }
}

/// The identity of the user of this process, as descriptors write it.
fn user() -> Result<String> {
    let mut token = null_mut();
    // SAFETY: the handle of the process itself needs no release, and the token is released below.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &mut token) } == 0 {
        return Err(Error::last_os_error());
    }
    // SAFETY: the token was just opened, and nothing else closes it.
    let token = unsafe { OwnedHandle::from_raw_handle(token) };
    // The structure is followed by the identity, of at most 68 bytes. Numbers of 64 bits give it the alignment of pointers.
    let (mut about, mut length) = ([0u64; 32], 0);
    let room = u32::try_from(size_of_val(&about)).map_err(Error::other)?;
    let place = about.as_mut_ptr().cast();
    // SAFETY: the place has as many bytes as the call is given.
    if unsafe { GetTokenInformation(token.as_raw_handle(), TokenUser, place, room, &mut length) } == 0 {
        return Err(Error::last_os_error());
    }
    let mut text = null_mut();
    // SAFETY: the call above has written a `TOKEN_USER`, whose identity is in the same place.
    let done = unsafe {
        let user = about.as_ptr().cast::<TOKEN_USER>().read();
        ConvertSidToStringSidW(user.User.Sid, &mut text)
    };
    if done == 0 {
        return Err(Error::last_os_error());
    }
    let text = Descriptor(text.cast());
    // SAFETY: the string ends with a zero, and is released only after this.
    let units: Vec<u16> = unsafe {
        let start = text.0.cast::<u16>();
        (0..).map(|at| start.add(at).read()).take_while(|unit| *unit != 0).collect()
    };
    String::from_utf16(&units).map_err(Error::other)
}

/// Memory of the system: a security descriptor, or a string.
struct Descriptor(*mut c_void);

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: the system allocated it, and nothing refers to it any more.
        unsafe { LocalFree(self.0) };
    }
}

impl Descriptor {
    fn of_owner() -> Result<Descriptor> {
        // All rights for the user and for the system, also for new files in it, and no rights inherited from the parent folder.
        let text = wide(Path::new(&format!("D:P(A;OICI;FA;;;{})(A;OICI;FA;;;SY)", user()?)));
        let mut descriptor = null_mut();
        // SAFETY: the text ends with a zero, and the result is released by `drop`.
        let done = unsafe {
            ConvertStringSecurityDescriptorToSecurityDescriptorW(
                text.as_ptr(),
                SDDL_REVISION_1,
                &mut descriptor,
                null_mut(),
            )
        };
        if done == 0 { Err(Error::last_os_error()) } else { Ok(Descriptor(descriptor)) }
    }

    /// The descriptor of a file.
    fn of_file(file: &File) -> Result<Descriptor> {
        let mut descriptor = null_mut();
        // SAFETY: the handle is open, and the result is released by `drop`.
        let error = unsafe {
            GetSecurityInfo(
                file.as_raw_handle(),
                SE_FILE_OBJECT,
                DACL_SECURITY_INFORMATION,
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
                &mut descriptor,
            )
        };
        checked(error).map(|()| Descriptor(descriptor))
    }

    /// Gives a file, opened with the right to change it, the access control list of this descriptor.
    fn apply_to(&self, file: &File) -> Result<()> {
        let (mut list, mut present, mut defaulted): (*mut ACL, _, _) = (null_mut(), 0, 0);
        let (mut control, mut revision) = (0, 0);
        // SAFETY: the descriptor is complete, and all results are numbers or point into it.
        let known = unsafe {
            GetSecurityDescriptorDacl(self.0, &mut present, &mut list, &mut defaulted) != 0
                && GetSecurityDescriptorControl(self.0, &mut control, &mut revision) != 0
        };
        if !known {
            return Err(Error::last_os_error());
        }
        let inherits = match control & SE_DACL_PROTECTED {
            0 => UNPROTECTED_DACL_SECURITY_INFORMATION,
            _ => PROTECTED_DACL_SECURITY_INFORMATION,
        };
        let subject = DACL_SECURITY_INFORMATION | inherits;
        // SAFETY: the handle is open, and the list is a part of the descriptor, which outlives the call.
        checked(unsafe {
            SetSecurityInfo(file.as_raw_handle(), SE_FILE_OBJECT, subject, null_mut(), null_mut(), list, null())
        })
    }
}

/// Copies the access control list of a file to another one.
pub(super) fn copy_access(new: &File, old: &File) -> Result<()> {
    Descriptor::of_file(old)?.apply_to(new)
}

/// Leaves all rights to the owner and the system only.
pub(super) fn make_private(file: &File) -> Result<()> {
    Descriptor::of_owner()?.apply_to(file)
}

/// Creates a folder that only its owner may enter.
pub(super) fn create_private_folder(path: &Path) -> Result<()> {
    let descriptor = Descriptor::of_owner()?;
    let length = u32::try_from(size_of::<SECURITY_ATTRIBUTES>()).map_err(Error::other)?;
    let attributes =
        SECURITY_ATTRIBUTES { nLength: length, lpSecurityDescriptor: descriptor.0, bInheritHandle: false.into() };
    let path = wide(&std::path::absolute(path)?);
    // SAFETY: the path ends with a zero, and the descriptor outlives the call.
    let done = unsafe { CreateDirectoryW(path.as_ptr(), &attributes) };
    if done == 0 { Err(Error::last_os_error()) } else { Ok(()) }
}

fn checked(error: u32) -> Result<()> {
    if error == 0 { Ok(()) } else { Err(Error::from_raw_os_error(error.cast_signed())) }
}

fn wide(text: &Path) -> Vec<u16> {
    text.as_os_str().encode_wide().chain([0]).collect()
}
