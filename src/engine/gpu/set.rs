//! The GPUs of an engine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use limbforge_gpu::{
    Compiler, Device, GpuError, LoadedProgram, Operands, Results, Station, TuningError, devices, stream,
};

use super::Gpu;
use super::at_once::{all_at_once, joined};
use crate::engine::error::EngineError;

/// GPUs that share batches. One that fails leaves the set, unless it is the last.
#[derive(Clone, Debug)]
pub(crate) struct Gpus {
    members: Arc<[Member]>,
    /// Bytes that an evaluation may take on each of them, if the user has said so.
    memory: Option<u64>,
    name: String,
    /// Whether loops of programs are computed in residue number systems wherever they qualify.
    prefers_residue_loops: bool,
    /// Why a GPU has left the set last.
    left: Arc<Mutex<Option<Arc<EngineError>>>>,
}

#[derive(Debug)]
struct Member {
    gpu: Gpu,
    has_left: AtomicBool,
}

/// A program of each member that has loaded it.
pub(super) type Programs = Vec<(usize, Arc<LoadedProgram>)>;

impl Gpus {
    /// GPUs by their numbers, from 0, in the driver's order.
    pub(crate) fn open(ordinals: &[usize]) -> Result<Self, EngineError> {
        if let Some(twice) = (1..ordinals.len()).find(|&i| ordinals[..i].contains(&ordinals[i])) {
            return Err(EngineError::GpuTwice { ordinal: ordinals[twice] });
        }
        // CUDA starts while nvrtc is found and read, and all GPUs at once: each takes tenths of a second.
        let (compiler, devices) = thread::scope(|scope| {
            let compiler = scope.spawn(Compiler::from_environment);
            let devices = all_at_once(ordinals, |&ordinal| Device::open(ordinal));
            (joined(compiler), devices)
        });
        let compiler = Arc::new(compiler.map_err(GpuError::from)?);
        let member = |device: Result<Device, GpuError>| {
            Ok(Member { gpu: Gpu::new(device?, &compiler), has_left: AtomicBool::new(false) })
        };
        let members = devices.into_iter().map(member).collect::<Result<Arc<[Member]>, GpuError>>()?;
        let Some(first) = members.first() else { return Err(GpuError::NoDevice.into()) };
        let first_name = &first.gpu.device.info().name;
        let is_same = |member: &Member| member.gpu.device.info().name == *first_name;
        let name = match members.len() {
            1 => first_name.clone(),
            count if members.iter().all(is_same) => format!("{count} x {first_name}"),
            _ => {
                let names: Vec<&str> = members.iter().map(|member| &*member.gpu.device.info().name).collect();
                names.join(" + ")
            }
        };
        Ok(Self { members, memory: None, name, prefers_residue_loops: false, left: Arc::default() })
    }

    /// All GPUs that the driver lists.
    pub(crate) fn open_all() -> Result<Self, EngineError> {
        let all: Vec<usize> = devices()?.iter().map(|info| info.ordinal).collect();
        Self::open(&all)
    }

    pub(crate) fn with_memory(&self, bytes: u64) -> Arc<Self> {
        Arc::new(Self { memory: Some(bytes), ..self.clone() })
    }

    /// The same GPUs, which compute loops of programs in residue number systems wherever they qualify.
    pub(crate) fn with_residue_loops(&self) -> Arc<Self> {
        Arc::new(Self { prefers_residue_loops: true, ..self.clone() })
    }

    /// Whether loops of programs are computed in residue number systems wherever they qualify.
    pub(crate) const fn prefers_residue_loops(&self) -> bool {
        self.prefers_residue_loops
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn tuning_error(&self) -> Option<&TuningError> {
        self.members.iter().find_map(|member| member.gpu.tuning_error.as_deref())
    }

    /// Why a GPU has left the set last.
    pub(crate) fn left(&self) -> Option<Arc<EngineError>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn member(&self, member: usize) -> &Gpu {
        &self.members[member].gpu
    }

    /// Whether another set has the same GPUs, as opened once.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.members, &other.members)
    }

    /// The GPU that stands for all where only one is asked about.
    pub(super) fn first(&self) -> &Gpu {
        &self.members[0].gpu
    }

    /// Loads something on every GPU that is left, on all at once: with the places of those that have loaded it.
    pub(super) fn load<T: Send>(
        &self,
        load: impl Fn(&Gpu) -> Result<T, EngineError> + Sync,
    ) -> Result<Vec<(usize, T)>, EngineError> {
        let present = self.present();
        let loaded = all_at_once(&present, |&i| load(&self.members[i].gpu));
        let (mut programs, mut refused) = (vec![], vec![]);
        for (i, loaded) in present.into_iter().zip(loaded) {
            match loaded {
                Ok(program) => programs.push((i, program)),
                Err(error) if error.is_of_device() => refused.push((i, error)),
                Err(error) => return Err(error),
            }
        }
        // What no GPU loads is no fault of theirs.
        if programs.is_empty() {
            return Err(refused.pop().map_or_else(|| GpuError::NoDevice.into(), |(_, error)| error));
        }
        refused.into_iter().for_each(|(i, error)| self.leave(i, error));
        Ok(programs)
    }

    /// Runs a program on all GPUs that have it and are left; the instances that lack results, and which.
    pub(super) fn stream(
        &self,
        programs: &Programs,
        operands: Operands<'_, EngineError>,
        results: Results<'_, EngineError>,
        instances: u64,
    ) -> Result<Vec<(u64, u32)>, EngineError> {
        let present = |&&(i, _): &&(usize, _)| !self.members[i].has_left.load(Ordering::Relaxed);
        let mut ready: Vec<&(usize, Arc<LoadedProgram>)> = programs.iter().filter(present).collect();
        if ready.is_empty() {
            ready.extend(programs.first());
        }
        let (mut stations, mut places) = (vec![], vec![]);
        for (i, program) in ready {
            let device = &self.members[*i].gpu.device;
            match self.allowance(device) {
                Ok(allowance) => {
                    stations.push(Station { device, program, allowance });
                    places.push(*i);
                }
                Err(error) if programs.len() == 1 => return Err(error.into()),
                Err(error) => self.leave(*i, error.into()),
            }
        }
        let streamed = stream(&stations, operands, results, instances)?;
        for (place, error) in streamed.lost {
            self.leave(places[place], error.into());
        }
        Ok(streamed.marked)
    }

    /// Bytes that an evaluation may take on a GPU now.
    pub(super) fn allowance(&self, device: &Device) -> Result<u64, GpuError> {
        self.memory.map_or_else(|| Ok(device.memory()?.free / 5 * 4), Ok)
    }

    /// The members that have not left; the last one never leaves.
    pub(crate) fn present(&self) -> Vec<usize> {
        let all = 0..self.members.len();
        all.filter(|&i| !self.members[i].has_left.load(Ordering::Relaxed)).collect()
    }

    fn leave(&self, member: usize, why: EngineError) {
        if self.present().len() > 1 {
            self.members[member].has_left.store(true, Ordering::Relaxed);
        }
        let (ordinal, source) = (self.members[member].gpu.device.info().ordinal, Box::new(why));
        let why = EngineError::GpuLeft { ordinal, source };
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(why));
    }
}
